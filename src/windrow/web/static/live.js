// Shows how a run goes on, as the server tells it. Without this the page loads itself again.
const SECONDS = 2; // between two looks at the pages of the run

const whole = number => (number ?? 0).toLocaleString("en");

function make(name, text, attributes = {}) {
  const found = document.createElement(name);
  found.textContent = text;
  for (const [each, value] of Object.entries(attributes)) found.setAttribute(each, value);
  return found;
}

function putPages(pages) {
  const rows = pages.map(page => {
    const row = document.createElement("tr");
    row.append(
      make("th", page.url, { scope: "row", class: "address" }),
      make("td", page.verdict, { "data-label": "What it was" }),
      make("td", page.status ?? "–", { "data-label": "Status", class: "number" }),
      make("td", whole(page.millis), { "data-label": "Milliseconds", class: "number" }),
      make("td", whole(page.bytes), { "data-label": "Bytes", class: "number" }),
      make("td", page.error ?? ""),
    );
    return row;
  });
  const box = document.getElementById("run-pages");
  box.querySelector("tbody").replaceChildren(...rows);
  box.hidden = !rows.length;
  document.getElementById("no-pages")?.toggleAttribute("hidden", rows.length > 0);
}

function putWarnings(warnings) {
  const items = warnings.map(each => {
    const item = make("li", "");
    item.append(make("strong", each.kind), ` (${each.state}): ${each.text}`);
    return item;
  });
  const box = document.getElementById("run-warnings");
  box.querySelector("ul").replaceChildren(...items);
  box.hidden = !items.length;
}

let isWaiting = false;
async function renewPages() {
  if (isWaiting) return;
  isWaiting = true;
  const answer = await fetch(`${location.pathname}.json${location.search}`).catch(() => null);
  if (answer?.ok) {
    const shown = await answer.json();
    putPages(shown.pages);
    putWarnings(shown.warnings);
  }
  setTimeout(() => { isWaiting = false; }, SECONDS * 1000);
}

const box = document.querySelector("[data-events]");
if (box) {
  const source = new EventSource(box.dataset.events);
  const put = (event) => {
    const run = JSON.parse(event.data);
    const status = document.getElementById("run-status");
    if (status.textContent !== run.shown) status.textContent = run.shown;
    const bar = document.getElementById("run-progress");
    if (bar && run.total) {
      bar.max = run.total;
      bar.value = run.done;
    }
    const far = document.getElementById("run-far");
    if (far && run.total) far.textContent = `${run.done} of ${run.total} addresses`;
    for (const place of document.querySelectorAll("[data-count]")) place.textContent = whole(run.counts[place.dataset.count]);
    renewPages();
  };
  source.addEventListener("message", put);
  source.addEventListener("end", (event) => {
    put(event);
    source.close();
    location.replace(location.pathname);
  });
}
