"""Pages that try to reach what they must not: other servers, the machine itself, its files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from family import family, page
from stage import Reply, html

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stage import Targets


def asking(targets: Targets, markup: str) -> str:
    """Fill the addresses of canaries in: ``@`` for HTTP, ``~`` for the file."""
    return page(markup.replace("@", targets.http).replace("~", targets.file))


@family("Meta refresh to a private server.", ends=("refused",))
def refresh_to_private(targets: Targets) -> str:
    return asking(targets, "<meta http-equiv=refresh content='0;url=@/refresh'>")


@family("Meta refresh to a file.")
def refresh_to_file(targets: Targets) -> str:
    return asking(targets, "<meta http-equiv=refresh content='0;url=~'>")


@family("Meta refresh to a blank page, which would take the page away.")
def refresh_to_blank(_: Targets) -> str:
    return page("<meta http-equiv=refresh content='0;url=about:blank'>")


@family("The same refresh, spelled with character references.")
def refresh_in_disguise(_: Targets) -> str:
    return page("<META HTTP-EQUIV='re&#102;resh' CONTENT='0; URL=&#97;bo&Tab;ut:blank'>")


@family("Meta refresh to a script and to data.")
def refresh_to_script(_: Targets) -> str:
    return page(
        "<meta http-equiv=refresh content='0;url=javascript:document.body.innerHTML=1'>"
        "<meta http-equiv=refresh content='0;url=data:text/html,gone'>"
    )


@family("A base address at the machine itself, and relative pictures.")
def base_to_private(targets: Targets) -> str:
    return page("<img src=a.png><link rel=stylesheet href=b.css>", head=f"<base href='{targets.http}/'>")


@family("A base address in the file system.")
def base_to_file(targets: Targets) -> str:
    return page("<iframe src=secret.html></iframe>", head=f"<base href='{targets.file}'>")


@family("Frames with files of the machine.")
def frames_of_files(targets: Targets) -> str:
    return asking(
        targets,
        "<iframe src='~'></iframe><iframe src='file:///etc/passwd'></iframe><iframe src='FILE:///etc/passwd'></iframe>",
    )


@family("Frames with private servers.")
def frames_of_servers(targets: Targets) -> str:
    return asking(
        targets,
        f"<iframe src='@/frame'></iframe><iframe src='{targets.ipv6}/frame'></iframe><iframe src='//127.1/'></iframe>",
    )


@family("Frames with the browser's own pages.")
def frames_of_the_browser(_: Targets) -> str:
    kinds = (
        "about:blank",
        "about:version",
        "chrome://version",
        "view-source:http://page.test/",
        "devtools://devtools/",
        "chrome-error://x",
    )
    return page("".join(f"<iframe src='{kind}'></iframe>" for kind in kinds))


@family("Frames whose address is a script.")
def frames_of_scripts(targets: Targets) -> str:
    return asking(
        targets,
        """<iframe src="javascript:fetch('@/js')"></iframe><iframe src="data:text/html,<img src=@/data>"></iframe>""",
    )


@family("Frames with their page in an attribute, 200 deep.", ends=("limit", "browser"))
def nested_srcdoc(_: Targets) -> str:
    inner = "deep down"
    for _level in range(12):
        inner = "<iframe srcdoc='" + inner.replace("&", "&amp;").replace("'", "&#39;") + "'></iframe>"
    return page(inner)


@family("Ten thousand frames.", ends=("limit", "browser"))
def many_frames(_: Targets) -> str:
    return page("<iframe srcdoc=x width=1 height=1></iframe>" * 10_000)


@family("Objects, embedded things and applets.")
def plugins(targets: Targets) -> str:
    return asking(
        targets,
        "<object data='@/object'></object><object data='~' type=text/html></object><embed src='@/embed'><applet code=x"
        " codebase='@/applet'></applet><object classid=x codebase='@/c'><param name=movie value='@/m'></object>",
    )


@family("Links that ask the browser to fetch ahead.")
def prefetch(targets: Targets) -> str:
    kinds = (
        "prefetch",
        "preconnect",
        "dns-prefetch",
        "preload' as='image",
        "modulepreload",
        "prerender",
        "manifest",
        "icon",
        "stylesheet",
        "next",
    )
    return asking(targets, "".join(f"<link rel='{kind}' href='@/{index}'>" for index, kind in enumerate(kinds)))


@family("Speculation rules that fetch and render ahead.")
def speculation(targets: Targets) -> str:
    rules = '{"prefetch":[{"source":"list","urls":["@/spec"]}],"prerender":[{"urls":["@/pre"]}]}'
    return asking(targets, f"<script type=speculationrules>{rules}</script>")


@family("Films, sounds and subtitles.")
def media(targets: Targets) -> str:
    return asking(
        targets,
        "<video autoplay preload=auto src='@/video' poster='@/poster'><track default kind=subtitles"
        " src='@/track'></video><audio autoplay src='@/audio'></audio><video><source src='~'></video><bgsound"
        " src='@/bgsound'>",
    )


@family("Addresses in style sheets.")
def sheet_addresses(targets: Targets) -> str:
    return page(
        "<style>@import 'HTTP/import';@import url(HTTP/import2);@font-face{font-family:f;src:url(HTTP/font)}"
        "p{background:url(HTTP/bg);cursor:url(HTTP/cursor),auto;list-style-image:url(HTTP/list);border-image:url(HTTP/b)}"
        "p::before{content:url(HTTP/content)} @namespace url(HTTP/ns);"
        "p{font-family:f;mask:url(HTTP/mask);filter:url(HTTP/filter#f);shape-outside:url(HTTP/s)}</style>".replace(
            "HTTP", targets.http
        )
    )


@family("Pictures by every attribute.")
def pictures(targets: Targets) -> str:
    return asking(
        targets,
        "<img src='@/img' srcset='@/2x 2x' lowsrc='@/low'><picture><source srcset='@/picture'><img"
        " src='@/x'></picture><body background='@/bg'><table background='@/t'><td background='@/td'></table><input"
        " type=image src='@/input'><svg><image href='@/svg' /><use href='@/use#x' /><filter id=f><feImage href='@/fe'"
        " /></filter><rect filter=url(#f) width=9 height=9 /><script href='@/svgscript'></script></svg><img src='~'>",
    )


@family("Style sheets by processing instruction and by link, from a file.")
def sheets_of_files(targets: Targets) -> str:
    return page(
        f"<?xml-stylesheet href='{targets.http}/pi'?><link rel=stylesheet href='{targets.file}'>"
        f"<style>@import url('{targets.file}');</style>"
    )


@family("A policy that reports what it blocks.")
def policy_reports(targets: Targets) -> str:
    return page(
        "<img src=http://other.test/x>",
        head=f"<meta http-equiv=Content-Security-Policy content=\"img-src 'none'; report-uri {targets.http}/report\">",
    )


@family("An XML entity that names a file.", live=True)
def xml_entity(targets: Targets) -> Mapping[str, Reply]:
    text = (
        f"<!DOCTYPE html [<!ENTITY x SYSTEM '{targets.file}'>]><html"
        " xmlns='http://www.w3.org/1999/xhtml'><body><p>First row of hay</p><p>Last row of hay</p>"
    )
    return {"/": Reply(f"{text}<p>&x;</p></body></html>".encode(), media_type="application/xhtml+xml")}


def scripted(targets: Targets, script: str) -> str:
    return page(f"<script>{script.replace('@', targets.http).replace('~', targets.file)}</script>")


@family("Scripts that fetch, in every way there is.", live=True)
def fetches(targets: Targets) -> str:
    return scripted(
        targets,
        "for (const u of ['@/fetch','~','http://localhost:1/','http://[::ffff:127.0.0.1]/']) {"
        " fetch(u,{mode:'no-cors'}).catch(()=>0);try{const x=new"
        " XMLHttpRequest();x.open('GET',u);x.send();}catch(e){}try{navigator.sendBeacon(u,'x');}catch(e){} try{new"
        " EventSource(u);}catch(e){} new Image().src=u;"
        " }fetch('@/keepalive',{keepalive:true,mode:'no-cors',method:'POST',body:'x'}).catch(()=>0);",
    )


@family("A WebSocket to the machine itself.", live=True)
def websocket(targets: Targets) -> str:
    return scripted(
        targets, "for (const u of ['@/ws','http://localhost:9/']) try{new WebSocket(u.replace('http','ws'));}catch(e){}"
    )


@family("Calls over WebRTC, by UDP and TCP.", live=True)
def webrtc(targets: Targets) -> str:
    return scripted(
        targets,
        f"const s='{targets.udp}', t='@'.split('//')[1], user={{username:'x',credential:'y'}};"
        "const servers=[{urls:['stun:'+s]},{urls:['turn:'+s,'turn:'+t+'?transport=tcp'],...user}];"
        "const c=new RTCPeerConnection({iceServers:servers});c.createDataChannel('x');"
        "c.createOffer().then(o=>c.setLocalDescription(o)).then(()=>{const [ip,port]=s.split(':');"
        "return c.addIceCandidate({candidate:`candidate:1 1 udp 1 ${ip} ${port} typ host`,sdpMid:'0'})}).catch(()=>0);",
    )


@family("QUIC by WebTransport.", live=True)
def webtransport(targets: Targets) -> str:
    return scripted(
        targets,
        "try{const t=new"
        f" WebTransport('https://{targets.udp}/x');t.ready.catch(()=>0);t.closed.catch(()=>0);}}catch(e){{}}",
    )


@family("Workers of all kinds that fetch.", live=True)
def workers(targets: Targets) -> Mapping[str, Reply]:
    work = (
        f"fetch('{targets.http}/worker',{{mode:'no-cors'}}).catch(()=>0); try{{new"
        f" WebSocket('{targets.http}/w'.replace('http','ws'))}}catch(e){{}}"
    )
    start = (
        "new Worker('/w.js'); try{new SharedWorker('/w.js')}catch(e){};"
        " navigator.serviceWorker&&navigator.serviceWorker.register('/w.js').catch(()=>0);new"
        f" Worker(URL.createObjectURL(new Blob([`{work}`]))); try{{importScripts('{targets.http}/i')}}catch(e){{}}"
    )
    return {"/": html(page(f"<script>{start}</script>")), "/w.js": Reply(work.encode(), media_type="text/javascript")}


@family("Windows that open by themselves.", live=True)
def popups(targets: Targets) -> str:
    return scripted(
        targets,
        "for (let i=0;i<20;i++) window.open('@/popup'+i); const w=window.open('about:blank'); if(w)"
        " w.document.write('<img src=@/inpopup>');const a=document.createElement('a'); a.href='@/blank';"
        " a.target='_blank'; document.body.append(a); a.click();",
    )


@family("Forms that send themselves, also into other windows.", live=True, ends=("refused",))
def autosubmit(targets: Targets) -> str:
    return page(
        f"<form id=f action='{targets.http}/form' method=post target=_blank><input name=a value=b></form>"
        f"<form id=g action='{targets.http}/form2'><input name=a value=b></form><script>f.submit();g.submit()</script>"
    )


@family("Links with pings, pressed by a script.", live=True, ends=("refused",))
def pings(targets: Targets) -> str:
    return page(f"<a id=a href='#x' ping='{targets.http}/ping'>x</a><script>a.click()</script>")


@family("A script that goes to a private server.", live=True, ends=("refused",))
def location_to_private(targets: Targets) -> str:
    return scripted(targets, "location='@/location'")


@family("A script that goes to a file, to the browser's pages and to data.", live=True)
def location_to_file(targets: Targets) -> str:
    return scripted(
        targets,
        "for (const u of ['~','chrome://version','data:text/html,gone','view-source:http://page.test/'])"
        " try{location=u}catch(e){}",
    )


@family("Modules and imports from elsewhere.", live=True)
def modules(targets: Targets) -> str:
    return page(
        f'<script type=importmap>{{"imports":{{"x":"{targets.http}/map"}}}}</script><script type=module>import'
        f" '{targets.http}/m'</script>"
        f"<script>import('{targets.http}/i').catch(()=>0);import('x').catch(()=>0);document.write(\"<script"
        f" src='{targets.http}/w'><\\/script>\")</script>"
    )


@family("Reports of errors and of the network.", live=True)
def reporting(targets: Targets) -> Mapping[str, Reply]:
    report = f'{{"group":"default","max_age":9,"endpoints":[{{"url":"{targets.http}/report"}}]}}'
    headers = {
        "Report-To": report,
        "NEL": '{"report_to":"default","max_age":9}',
        "Reporting-Endpoints": f'default="{targets.http}/r"',
    }
    return {"/": Reply(page("<script>nosuch()</script>").encode(), headers=headers)}


@family("Headers that ask for fetches: Link, Refresh and hints.", live=True, ends=("refused",))
def header_fetches(targets: Targets) -> Mapping[str, Reply]:
    headers = {
        "Link": f"<{targets.http}/l>; rel=preload; as=image, <{targets.http}/p>; rel=preconnect",
        "SourceMap": f"{targets.http}/map",
    }
    return {"/": Reply(page("").encode(), headers=headers)}
