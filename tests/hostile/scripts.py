"""Hostile scripts: hangs, floods, hogs, and requests for what a page has no business with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from family import family, page
from stage import Reply, html

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stage import Targets

HANGS = ("limit",)
HOGS = ("limit", "browser")


def scripted(script: str, extra: str = "") -> str:
    return page(f"{extra}<script>{script}</script>")


@family("A loop that never ends, while the page loads.", live=True, ends=HANGS)
def endless_loop(_: Targets) -> str:
    return scripted("for(;;);")


@family("A loop that never ends, after the page has loaded.", live=True, ends=HANGS)
def late_endless_loop(_: Targets) -> str:
    return scripted("onload=()=>setTimeout(()=>{for(;;);},100)")


@family("Promises that never let anybody else have a turn, and pile up.", live=True, ends=(*HANGS, "browser"))
def microtasks(_: Targets) -> str:
    return scripted("const f=()=>Promise.resolve().then(f);f()")


@family("A regular expression that never comes back.", live=True, ends=HANGS)
def regex_trap(_: Targets) -> str:
    return scripted("/^(a+)+$/.test('a'.repeat(50)+'b')")


@family("A page that grows for ever.", live=True, ends=HOGS)
def growth(_: Targets) -> str:
    return scripted(
        "setInterval(()=>{for(let i=0;i<500;i++)document.body.insertAdjacentHTML('beforeend','<p>more</p>')},1)"
    )


@family("Arrays until memory is full.", live=True, ends=HOGS)
def memory_hog(_: Targets) -> str:
    return scripted("const a=[];for(;;)a.push(new Array(1e6).fill(Math.random()))")


@family("Buffers outside the script's own heap until memory is full.", live=True, ends=HOGS)
def buffer_hog(_: Targets) -> str:
    return scripted("const a=[];setInterval(()=>{a.push(new Uint8Array(1e8).fill(7))},10)")


@family("A string that doubles for ever.", live=True, ends=HOGS)
def string_hog(_: Targets) -> str:
    return scripted("let s='x';const a=[];try{for(;;){s+=s;a.push(s)}}catch(e){} document.title=s.slice(0,1e6)")


@family("Recursion without an end.", live=True)
def recursion(_: Targets) -> str:
    return scripted("const f=()=>f();try{f()}catch(e){}")


@family("Questions and warnings without end.", live=True, ends=HANGS)
def dialogs(_: Targets) -> str:
    return scripted("for(;;){alert(1);confirm(2);prompt(3)}")


@family("A few questions, and one on leaving, over and over.", live=True, ends=HANGS)
def few_dialogs(_: Targets) -> str:
    return scripted(
        "alert(1);confirm(2);prompt(3);onbeforeunload=e=>{e.preventDefault();return"
        " 'stay'};setTimeout(()=>location.reload(),200)"
    )


@family("Printing without end.", live=True, ends=HANGS)
def printing(_: Targets) -> str:
    return scripted("print();setInterval(print,10)")


@family("A history of 100,000 places.", live=True, ends=HANGS)
def history_flood(_: Targets) -> str:
    return scripted("for(let i=0;i<1e5;i++)try{history.pushState({i},'','?'+i)}catch(e){}")


@family("A page that loads itself again and again.", live=True, ends=HANGS)
def reload_loop(_: Targets) -> str:
    return scripted("location.reload()")


@family("A page that goes to a new address of its own for ever.", live=True, ends=HANGS)
def location_loop(_: Targets) -> str:
    return scripted("location.search='?'+Math.random()")


@family("A page that goes blank.", live=True)
def blank_itself(_: Targets) -> str:
    return scripted("setTimeout(()=>location.hash='x',1)")


@family("Meta refresh to itself without a pause.", live=True, ends=HANGS)
def refresh_loop(_: Targets) -> str:
    return page("<meta http-equiv=refresh content='0'>")


@family("Downloads by header, by attribute and by blob.", live=True)
def downloads(_: Targets) -> Mapping[str, Reply]:
    script = (
        "for(let i=0;i<20;i++){const"
        " a=document.createElement('a');a.download='x.exe';a.href=i%2?'/file':URL.createObjectURL(new"
        " Blob(['x'.repeat(1e5)]));a.click()}"
    )
    file = Reply(
        b"MZ" * 1_000,
        media_type="application/octet-stream",
        headers={"Content-Disposition": "attachment; filename=x.exe"},
    )
    return {"/": html(scripted(script, "<iframe src=/file></iframe>")), "/file": file}


@family("Shadow trees in shadow trees, 2,000 deep.", live=True, ends=HOGS)
def shadow_recursion(_: Targets) -> str:
    return scripted(
        "let h=document.createElement('div');document.body.append(h);for(let i=0;i<2000;i++){const"
        " r=h.attachShadow({mode:'open'});h=document.createElement('div');r.append('x',h)}"
    )


@family("Custom elements that make more of themselves.", live=True, ends=HOGS)
def custom_elements(_: Targets) -> str:
    return scripted(
        "let n=0;const make=()=>document.createElement('x-x');customElements.define('x-x',class extends HTMLElement{"
        "connectedCallback(){if(n++<5000)this.append(make())}});document.body.append(make())"
    )


@family("Canvases as large as they get.", live=True, ends=HOGS)
def canvases(_: Targets) -> str:
    return scripted(
        "for(let i=0;i<50;i++){const c=document.createElement('canvas');c.width=c.height=8000;c.style.width='1px';const"
        " x=c.getContext('2d');if(x){x.fillRect(0,0,8000,8000);x.getImageData(0,0,8000,8000)}document.body.append(c)}"
    )


@family("WebGL contexts without end.", live=True, ends=HOGS)
def webgl(_: Targets) -> str:
    return scripted(
        "for(let i=0;i<200;i++){const c=document.createElement('canvas');const"
        " g=c.getContext('webgl');if(g)g.clear(g.COLOR_BUFFER_BIT)}"
    )


@family("WebAssembly that loops for ever.", live=True, ends=HANGS)
def wasm_loop(_: Targets) -> str:
    code = "0,97,115,109,1,0,0,0,1,4,1,96,0,0,3,2,1,0,7,5,1,1,102,0,0,10,9,1,7,0,3,64,12,0,11,11"
    return scripted(f"new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array([{code}]))).exports.f()")


@family("WebAssembly memory of gigabytes.", live=True, ends=HOGS)
def wasm_memory(_: Targets) -> str:
    return scripted(
        "const a=[];for(let i=0;i<40;i++)try{const m=new WebAssembly.Memory({initial:2000});new"
        " Uint8Array(m.buffer).fill(1);a.push(m)}catch(e){}"
    )


@family("Requests for place, camera, messages, screen and clipboard.", live=True)
def permissions(_: Targets) -> str:
    return scripted(
        "navigator.geolocation&&navigator.geolocation.getCurrentPosition(()=>0,()=>0);"
        "navigator.mediaDevices&&navigator.mediaDevices.getUserMedia({video:true,audio:true}).catch(()=>0);"
        "window.Notification&&Notification.requestPermission();document.body.requestFullscreen().catch(()=>0);"
        "try{document.body.requestPointerLock()}catch(e){}navigator.clipboard&&navigator.clipboard.readText().catch(()=>0);"
        "navigator.usb&&navigator.usb.requestDevice({filters:[]}).catch(()=>0);navigator.wakeLock&&navigator.wakeLock.request().catch(()=>0);"
    )


@family("A page that closes, stops and writes over itself.", live=True)
def self_destruction(_: Targets) -> str:
    return scripted(
        "window.close();onload=()=>{const t=document.documentElement.outerHTML;document.open();"
        "document.write(t.replace(/<script.*/,''));document.write('<p>Last row of hay');document.close();window.stop()}"
    )


@family("A thousand workers, each in a loop.", live=True, ends=HOGS)
def worker_flood(_: Targets) -> str:
    return scripted("const u=URL.createObjectURL(new Blob(['for(;;);']));for(let i=0;i<200;i++)new Worker(u)")


@family("Watchers that answer each change with a change.", live=True, ends=HOGS)
def observers(_: Targets) -> str:
    return scripted(
        "const b=document.body;new MutationObserver(()=>{b.dataset.n=Math.random()}).observe(b,{attributes:true});"
        "b.dataset.n=1"
    )


@family("A megabyte in the title, the log and the error, over and over.", live=True, ends=HOGS)
def log_flood(_: Targets) -> str:
    return scripted(
        "const s='x'.repeat(1e6);for(let i=0;i<300;i++){console.log(s);document.title=s+i;setTimeout(()=>{throw new"
        " Error(s)})}"
    )


@family("Storage and databases filled to the brim.", live=True, ends=HOGS)
def storage_flood(_: Targets) -> str:
    return scripted(
        "try{for(let i=0;;i++)localStorage['k'+i]='x'.repeat(1e6)}catch(e){} const"
        " r=indexedDB.open('x');r.onupgradeneeded=()=>r.result.createObjectStore('s');r.onsuccess=()=>{const"
        " t=r.result.transaction('s','readwrite').objectStore('s');for(let i=0;i<50;i++)t.put('x'.repeat(1e6),i)}"
    )


@family("Built-in functions replaced by traps.", live=True)
def poisoned_builtins(_: Targets) -> str:
    return scripted(
        "document.querySelector=()=>{for(;;);};Object.prototype.toJSON=()=>'gone';Array.prototype.map=()=>[];JSON.stringify=()=>'gone';window.scrollTo=()=>{for(;;);};Object.defineProperty(document,'body',{get(){for(;;);}})"
    )


@family("Blocked frames: a thousand requests that never end.", live=True, ends=HANGS)
def request_flood(_: Targets) -> str:
    return scripted("for(let i=0;i<1000;i++)fetch('/nothing?'+i).catch(()=>0)")
