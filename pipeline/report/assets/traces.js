// The counterexamples of violated cases: a link to one opens it above the page.

class TraceBox {
  constructor() {
    this.box = byId("trace-box");
    this.view = null;
    byId("trace-close").addEventListener("click", () => this.box.close());
    this.box.addEventListener("close", () => this.onClosed());
    addEventListener("hashchange", () => this.follow());
    this.follow();
  }

  /** Show the counterexample that the address asks for. */
  follow() {
    const number = /^#trace-(\d+)$/.exec(location.hash)?.[1];
    const data = number === undefined ? null : byId(`story-${number}`);
    if (data) this.open(JSON.parse(data.textContent));
    else if (this.box.open) this.box.close();
  }

  open(story) {
    this.view?.close();
    byId("trace-title").textContent = `${story.model}: counterexample by ${story.route}`;
    byId("trace-asked").textContent = story.asked;
    byId("trace-ending").textContent = story.ending.text;
    if (!this.box.open) this.box.showModal();
    this.view = new TraceView(byId("trace"), story);
    byId("trace").querySelector(".steps").focus({ preventScroll: true });
  }

  onClosed() {
    this.view?.close();
    this.view = null;
    if (location.hash.startsWith("#trace-")) history.replaceState(null, "", "#verdicts");
  }
}
