const KEY = "said-after-reload";

/** Loads the page again, as it is after an action, and has it say what was done. */
export function reloadSaying(text: string): void {
  sessionStorage.setItem(KEY, text);
  location.reload();
}

/** What was to be said after the reload, once; null for nothing. */
export function saidAfterReload(): string | null {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return text;
}
