// Shows how a run goes on, as the server tells it. Without this the page loads itself again.
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
    for (const place of document.querySelectorAll("[data-count]")) {
      place.textContent = (run.counts[place.dataset.count] ?? 0).toLocaleString("en");
    }
  };
  source.addEventListener("message", put);
  source.addEventListener("end", (event) => {
    put(event);
    source.close();
    location.replace(location.pathname);
  });
}
