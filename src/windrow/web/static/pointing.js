// Pointing at words on the picture of a page, and frames while one types. All of it only fills in what could be pasted:
// the server finds every text again, and believes no place where the text does not stand.

const SVG = "http://www.w3.org/2000/svg";
const NEAR = 24; // pixels from a word at which a drag may begin or end
const MOST_FRAMES = 12;

const form = document.getElementById("setup");
const text = document.getElementById("page-text");
const picture = document.querySelector(".picture");
const sheet = document.querySelector(".sheet");
const layer = sheet?.querySelector("svg");
const shown = document.getElementById("selected");

let target = null; // the box that a selection goes to
let selection = null; // {start, end} in the text, from the picture
let words = null; // a promise of [{start, end, left, top, right, bottom}]

function loadWords() {
  words ??= fetch(picture.dataset.words).then(async answer => {
    if (!answer.ok) return [];
    const numbers = new Uint16Array(await answer.arrayBuffer());
    const found = [];
    let start = 0;
    for (let at = 0; at + 5 < numbers.length; at += 6) {
      start += numbers[at];
      const [length, left, top, width, height] = numbers.subarray(at + 1, at + 6);
      found.push({ start, end: start + length, left, top, right: left + width, bottom: top + height });
    }
    return found;
  }).catch(() => []);
  return words;
}

const area = word => (word.right - word.left) * (word.bottom - word.top);

function distance(word, x, y) {
  const aside = Math.max(word.left - x, 0, x - word.right);
  const above = Math.max(word.top - y, 0, y - word.bottom);
  return Math.hypot(aside, 3 * above); // what stands on the same line is nearer
}

function wordAt(all, x, y) {
  let best = null, least = NEAR;
  for (const word of all) {
    const far = distance(word, x, y);
    if (far < least || (best && far === least && area(word) <= area(best))) [best, least] = [word, far];
  }
  return best;
}

function draw(className, boxes, attributes = {}) {
  return boxes.map(box => {
    const mark = document.createElementNS(SVG, "rect");
    mark.setAttribute("class", className);
    for (const [name, value] of Object.entries({
      x: box.left - 2, y: box.top - 2, width: box.right - box.left + 4, height: box.bottom - box.top + 4, ...attributes,
    })) mark.setAttribute(name, value);
    layer.append(mark);
    return mark;
  });
}

function joined(all, start, end) {
  const rows = [];
  for (const word of all) {
    if (word.start >= end || word.end <= start) continue;
    const last = rows.at(-1), middle = (word.top + word.bottom) / 2;
    if (last && last.top <= middle && middle <= last.bottom && word.left >= last.left) {
      last.right = Math.max(last.right, word.right);
      last.top = Math.min(last.top, word.top);
      last.bottom = Math.max(last.bottom, word.bottom);
    } else rows.push({ ...word });
  }
  return rows;
}

function select(all, from, to) {
  selection = { start: Math.min(from.start, to.start), end: Math.max(from.end, to.end) };
  layer.querySelectorAll(".picked").forEach(mark => mark.remove());
  draw("picked", joined(all, selection.start, selection.end), { "aria-hidden": "true" });
  const said = text.value.slice(selection.start, selection.end).trim().replace(/\s+/g, " ");
  shown.textContent = said ? `Selected: ${said.length > 200 ? `${said.slice(0, 199)}…` : said}` : "";
}

// Which place belongs to a box: the hidden control beside it. Buttons to choose a place give way to what is pointed at.
function placeOf(box) {
  if (box.id === "region") return form.elements["region-at"];
  const name = `at-${box.closest(".field").dataset.number}`;
  let found = box.closest(".field").querySelector(`input[type=hidden][name="${name}"]`);
  if (!found) {
    found = document.createElement("input");
    found.type = "hidden";
    found.name = name;
    box.closest(".field").querySelector(".places")?.remove();
    box.after(found);
  }
  return found;
}

function chosenTarget() {
  if (target?.isConnected) return target;
  const fields = document.querySelectorAll(".field .target");
  return fields[fields.length - 1];
}

function use(range) {
  const box = chosenTarget();
  const said = text.value.slice(range.start, range.end).trim();
  if (!box || !said) return;
  const at = `${range.start}-${range.end}`;
  const isSeveral = box.closest(".field")?.querySelector("[name^=several-]")?.checked;
  const place = placeOf(box);
  const lines = isSeveral ? box.value.split("\n").filter(line => line.trim()) : [];
  const places = isSeveral && place.value ? place.value.split(",") : [];
  if (!isSeveral) [box.value, place.value] = [said, at];
  else if (!lines.includes(said)) {
    while (places.length < lines.length) places.push("");
    box.value = [...lines, said.replace(/\s+/g, " ")].join("\n");
    place.value = [...places, at].join(",");
  }
  box.dataset.pointed = box.value;
  frameBox(box, [range]);
}

// Frames while one types.
const folded = { from: "", to: "", map: [] };

function fold(value) {
  if (folded.from === value && folded.map.length) return folded;
  const map = [];
  let to = "";
  for (let at = 0; at < value.length; at++) {
    if (/\s/.test(value[at])) continue;
    to += value[at].toLowerCase().slice(0, 1);
    map.push(at);
  }
  return Object.assign(folded, { from: value, to, map });
}

function find(said) {
  const wanted = said.replace(/\s+/g, "").toLowerCase(), page = fold(text.value), found = [];
  for (let at = wanted ? page.to.indexOf(wanted) : -1; at >= 0; at = page.to.indexOf(wanted, at + 1)) {
    if (found.length === MOST_FRAMES) break;
    found.push({ start: page.map[at], end: page.map[at + wanted.length - 1] + 1 });
  }
  return found;
}

async function frameBox(box, ranges) {
  if (!layer) return;
  const field = box.closest(".field"), number = field?.dataset.number ?? "0";
  const all = await loadWords();
  layer.querySelectorAll(`[data-field="${number}"]`).forEach(mark => mark.remove());
  const name = field?.querySelector("[name^=label-]").value || (field ? `Field ${number}` : "Region");
  for (const range of ranges) {
    const group = document.createElementNS(SVG, "g");
    group.setAttribute("role", "listitem");
    group.dataset.field = number;
    layer.setAttribute("role", "list");
    layer.setAttribute("aria-label", "Marks");
    const marks = draw(`mark mark-${field ? (number - 1) % 8 : 6}`, joined(all, range.start, range.end), {
      role: "img", "aria-label": name,
    });
    group.append(...marks);
    if (marks.length) layer.append(group);
  }
}

function typed(box) {
  if (box.dataset.pointed === box.value) return;
  delete box.dataset.pointed;
  placeOf(box).value = "";
  const several = box.closest(".field")?.querySelector("[name^=several-]")?.checked;
  const found = (several ? box.value.split("\n") : [box.value]).flatMap(find);
  frameBox(box, box.id === "region" ? found : withinRegion(found));
}

// What stands in the region of interest is meant, if anything does.
function withinRegion(ranges) {
  const { region, "region-at": at } = form.elements;
  const [start, end] = at?.value ? at.value.split("-").map(Number) : Object.values(find(region?.value ?? "")[0] ?? {});
  const inside = ranges.filter(range => range.start >= start && range.end <= end);
  return inside.length ? inside : ranges;
}

function renewKeys() {
  const key = document.getElementById("key"), chosen = key.value;
  const labels = [...form.querySelectorAll("[name^=label-]")].map(each => each.value.trim()).filter(Boolean);
  const wanted = [...new Set([chosen, "url", ...labels])];
  key.replaceChildren(...wanted.map(label => {
    const option = document.createElement("option");
    option.value = option.textContent = label;
    return option;
  }));
  key.value = chosen;
}

let asking = 0;
async function renewRuns() {
  const mine = ++asking;
  const { schedule, zone, name } = form.elements;
  const asked = new URLSearchParams({ schedule: schedule.value, zone: zone.value, name: name.value });
  const answer = await fetch(`/sources/new/runs.json?${asked}`);
  if (!answer.ok || mine !== asking) return;
  const found = await answer.json(), problem = document.getElementById("schedule-problem");
  problem.textContent = found.problem;
  problem.hidden = !found.problem;
  const fires = found.fires.length ? found.fires.map(each => `${each.slice(0, 16).replace("T", " ")} ${zone.value || "UTC"}`) : ["only by hand"];
  document.getElementById("runs").replaceChildren(...fires.map(each => {
    const item = document.createElement("li");
    item.textContent = each;
    return item;
  }));
}

if (form) {
  const boxOf = element => element.closest(".field")?.querySelector(".target") ?? (element.id === "region" ? element : null);
  // Whoever goes to the text with the keyboard passes boxes that are not meant: those that are filled in, and the region.
  form.addEventListener("focusin", event => {
    const box = boxOf(event.target);
    if (box && box.id !== "region" && !box.value.trim()) target = box;
    if (event.target === text) selection = null;
  });
  form.addEventListener("pointerdown", event => { target = boxOf(event.target) ?? target; });
  form.addEventListener("input", event => { target = boxOf(event.target) ?? target; });
  form.addEventListener("input", event => {
    if (event.target.matches(".target") && text) typed(event.target);
    if (event.target.matches("[name^=label-]")) renewKeys();
    if (event.target.matches("#schedule, #zone")) renewRuns();
  });
}

if (text) {
  document.querySelectorAll(".pointing").forEach(each => { each.hidden = false; });
  // Browsers give a read-only box no caret, and so nobody could select in it with the keyboard. This one takes no input.
  text.readOnly = false;
  text.setAttribute("aria-readonly", "true");
  text.addEventListener("beforeinput", event => event.preventDefault());
  document.getElementById("use").addEventListener("click", () => {
    const range = selection ?? { start: text.selectionStart, end: text.selectionEnd };
    use(range);
  });
}

if (picture && text) {
  let from = null;
  // A list that is offered is chosen by the edge of its frame, as by its name; words inside are pointed at.
  const isChoice = target => target.matches(".edge, .tag");
  for (const edge of layer.querySelectorAll(".edge")) {
    edge.addEventListener("click", () => edge.parentElement.querySelector(".tag").click());
  }
  const place = event => {
    const box = sheet.getBoundingClientRect(), scale = layer.viewBox.baseVal.width / box.width; // narrow windows shrink it
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  };
  sheet.addEventListener("pointerenter", loadWords);
  sheet.addEventListener("pointerdown", async event => {
    if (event.button || isChoice(event.target)) return;
    event.preventDefault(); // the page's text, or a field, keeps the focus
    sheet.setPointerCapture(event.pointerId);
    const [x, y] = place(event);
    const mine = { word: null, last: [x, y], up: false };
    from = mine;
    const all = await loadWords();
    mine.word = wordAt(all, x, y);
    const to = mine.word && wordAt(all, ...mine.last);
    if (to) select(all, mine.word, to);
    if (mine.up && selection) handOn();
  });
  sheet.addEventListener("pointermove", async event => {
    if (!from || !(event.buttons & 1)) return;
    from.last = place(event);
    const mine = from, all = await loadWords();
    const to = mine.word && wordAt(all, ...mine.last);
    if (to) select(all, mine.word, to);
  });
  sheet.addEventListener("pointerup", event => {
    if (!from) return;
    from.last = place(event);
    from.up = true;
    const mine = from;
    from = null;
    if (mine.word) loadWords().then(all => {
      const to = wordAt(all, ...mine.last);
      if (to) select(all, mine.word, to);
      handOn();
    });
  });
  // What is pointed at goes into a box that is empty or was pointed at before; what was typed is only replaced on request.
  const handOn = () => {
    const box = chosenTarget();
    const isSeveral = box?.closest(".field")?.querySelector("[name^=several-]")?.checked;
    if (box && selection && !isSeveral && (!box.value.trim() || box.dataset.pointed === box.value)) use(selection);
  };
}
