import type { Child } from "hono/jsx";
import { render } from "hono/jsx/dom";
import type { TryData } from "../guides/try-data.ts";

// Forms that call reads of this service. Nothing is stored: a key lives in its field, and goes with the page.

/** More of an answer would make the page slow. */
const LONGEST_SHOWN = 20_000;

const keyPlace = document.getElementById("reference-key");
if (keyPlace !== null) render(<KeyField />, keyPlace);
for (const place of document.querySelectorAll<HTMLElement>("[data-try]")) {
  render(<TryForm data={JSON.parse(place.dataset.try ?? "null") as TryData} />, place);
  for (const input of place.querySelectorAll("input")) input.spellcheck = false;
}

function KeyField() {
  return (
    <details class="fold">
      <summary>Try reads that need a key</summary>
      <div class="field">
        <label for="try-key">API key or access token</label>
        <input
          class="control"
          id="try-key"
          type="password"
          autocomplete="off"
          spellcheck={false}
          aria-describedby="try-key-hint"
        />
        <p class="hint" id="try-key-hint">
          Sent only to this service, and only with the operations that need it. It is not stored: it
          is gone when you leave the page.
        </p>
      </div>
    </details>
  );
}

function TryForm({ data }: { data: TryData }) {
  const submit = (event: Event) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const output = form.nextElementSibling as HTMLElement;
    void send(data, new FormData(form), (view) => render(view, output));
  };
  return (
    <details>
      <summary>Try it here</summary>
      <div class="try-form">
        <form onSubmit={submit}>
          {data.parameters.map(({ name, required, example }) => (
            <div class="field">
              <label for={`try-${data.operationId}-${name}`}>
                {required ? name : `${name} (optional)`}
              </label>
              <input
                class="control"
                id={`try-${data.operationId}-${name}`}
                name={name}
                required={required}
                placeholder={example}
                autocomplete="off"
                autocapitalize="none"
              />
            </div>
          ))}
          <button class="button secondary" type="submit">
            Send
          </button>
        </form>
        <div aria-live="polite" />
      </div>
    </details>
  );
}

async function send(data: TryData, values: FormData, show: (view: Child) => void): Promise<void> {
  const field = document.getElementById("try-key") as HTMLInputElement | null;
  const key = field?.value.trim() ?? "";
  if (data.needsCredential && key === "") {
    show(<p>This operation needs a key. Enter one at the top of the page.</p>);
    return;
  }
  const url = addressOf(data, values);
  const headers: Record<string, string> = data.needsCredential
    ? { authorization: `Bearer ${key}` }
    : {};
  show(<p class="muted">Waiting for the answer.</p>);
  const startedAt = performance.now();
  try {
    const response = await fetch(url, { headers, cache: "no-store", credentials: "omit" });
    const text = await shownBody(response);
    const ms = Math.round(performance.now() - startedAt);
    show([
      <p>
        <strong>{response.status}</strong> in {ms} ms, from {url}
      </p>,
      <pre tabindex={0}>
        <code>{text}</code>
      </pre>,
    ]);
  } catch {
    show(<p>The service did not answer. Try again.</p>);
  }
}

function addressOf({ path, parameters }: TryData, values: FormData): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: place } of parameters) {
    const text = String(values.get(name) ?? "").trim();
    if (place === "path") filled = filled.replace(`{${name}}`, encodeURIComponent(text));
    else if (text !== "") query.set(name, text);
  }
  const search = query.toString();
  return search === "" ? filled : `${filled}?${search}`;
}

/** The answer as text: JSON in lines; of what is no text, only its type and size. */
async function shownBody(response: Response): Promise<string> {
  const type = response.headers.get("content-type") ?? "";
  if (!/json|^text\/|xml/.test(type)) {
    const { size } = await response.blob();
    return `${type === "" ? "No content type" : type}, ${size} bytes`;
  }
  const text = await response.text();
  const shown = /json/.test(type) ? inLines(text) : text;
  return shown.length <= LONGEST_SHOWN
    ? shown
    : `${shown.slice(0, LONGEST_SHOWN)}\n… ${shown.length - LONGEST_SHOWN} characters more`;
}

function inLines(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
