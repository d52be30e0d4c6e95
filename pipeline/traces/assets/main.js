// The page of one trace.

document.documentElement.classList.add("scripted");
new TraceView(byId("trace"), JSON.parse(byId("data").textContent));
document.documentElement.dataset.ready = String(Math.round(performance.now()));
