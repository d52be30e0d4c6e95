// Puts the page together.

/** Show the comparisons by one counter at a time. */
function chooseCounter() {
  const sections = [...document.querySelectorAll("[data-counter]")];
  const select = byId("compare-counter");
  fill(select, sections.map((section) => [section.dataset.counter, section.dataset.title]));
  const update = () => sections.forEach((section) => { section.hidden = section.dataset.counter !== select.value; });
  select.addEventListener("input", update);
  update();
}

document.documentElement.classList.add("scripted");
chooseCounter();
const table = new RunTable();
const plots = [new Scatter(), new Cactus(), new Sizes()];
const traces = new TraceBox();
addEventListener("scroll", () => tooltip.hide(), { passive: true });
document.documentElement.dataset.ready = String(Math.round(performance.now()));
