// Shows what is found while one types or chooses, from the same page that the form leads to. The
// address follows, so that it can be shared. Without this script the form's button does the same.

const PAUSE_MS = 250;

const form = document.querySelector<HTMLFormElement>("#explore");
if (form !== null) start(form);

function start(form: HTMLFormElement): void {
  let timer: number | undefined;
  let running: AbortController | undefined;

  const later = (pause: number) => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => void show(addressOf(form)), pause);
  };
  form.addEventListener("input", (event) => {
    const isTyped = event.target instanceof HTMLInputElement && event.target.type !== "checkbox";
    later(isTyped ? PAUSE_MS : 0);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    later(0);
  });

  async function show(address: string): Promise<void> {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    if (!form.checkValidity()) return;
    const results = document.querySelector("#results");
    results?.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(address, { headers: { accept: "text/html" }, signal });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = page.querySelector("#results");
      // Too many requests, or a position that does not exist: the whole page says what is wrong.
      if (!answer.ok || found === null) return window.location.assign(address);
      document.title = page.title;
      window.history.replaceState(null, "", address);
      results?.replaceWith(document.adoptNode(found));
    } catch {
      // A later request took over, or the network is gone: what is shown stays.
      if (!signal.aborted) results?.removeAttribute("aria-busy");
    }
  }
}

/** The form's address, without what was not chosen. */
function addressOf(form: HTMLFormElement): string {
  const chosen = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value !== "string" || value.trim() === "") continue;
    const isDefault = name === "sort" && value === "newest";
    if (!isDefault) chosen.set(name, value.trim());
  }
  const text = chosen.toString();
  return text === "" ? form.action : `${form.action}?${text}`;
}
