import type { TryData } from "../guides/try-data.ts";
import { element } from "./lib/dom.ts";

// Forms that call reads of this service. Nothing is stored: a key lives in its field, and goes with the page.

/** More of an answer would make the page slow. */
const LONGEST_SHOWN = 20_000;

const key = element("input", {
  class: "control",
  id: "try-key",
  type: "password",
  autocomplete: "off",
  spellcheck: "false",
  "aria-describedby": "try-key-hint",
});
document
  .getElementById("reference-key")
  ?.replaceChildren(
    element(
      "details",
      { class: "fold" },
      element("summary", {}, "Try reads that need a key"),
      element(
        "div",
        { class: "field" },
        element("label", { for: "try-key" }, "API key or access token"),
        key,
        element(
          "p",
          { class: "hint", id: "try-key-hint" },
          "Sent only to this service, and only with the operations that need it. It is not stored: it is gone when you leave the page.",
        ),
      ),
    ),
  );

for (const place of document.querySelectorAll<HTMLElement>("[data-try]")) {
  place.replaceChildren(tryForm(JSON.parse(place.dataset.try ?? "null") as TryData));
}

function tryForm(data: TryData): HTMLElement {
  const output = element("div", { "aria-live": "polite" });
  const fields = data.parameters.map((parameter) => {
    const id = `try-${data.operationId}-${parameter.name}`;
    const input = element("input", {
      class: "control",
      id,
      name: parameter.name,
      required: parameter.required,
      placeholder: parameter.example,
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
    });
    const label = parameter.required ? parameter.name : `${parameter.name} (optional)`;
    return {
      parameter,
      input,
      row: element("div", { class: "field" }, element("label", { for: id }, label), input),
    };
  });
  const form = element(
    "form",
    {
      submit: (event) => {
        event.preventDefault();
        const values = fields.map(({ parameter, input }) => ({ parameter, value: input.value }));
        void send(data, values, output);
      },
    },
    ...fields.map(({ row }) => row),
    element("button", { class: "button secondary", type: "submit" }, "Send"),
  );
  return element(
    "details",
    {},
    element("summary", {}, "Try it here"),
    element("div", { class: "try-form" }, form, output),
  );
}

type Values = readonly {
  readonly parameter: TryData["parameters"][number];
  readonly value: string;
}[];

async function send(data: TryData, values: Values, output: HTMLElement): Promise<void> {
  if (data.needsCredential && key.value.trim() === "") {
    output.replaceChildren(
      element("p", {}, "This operation needs a key. Enter one at the top of the page."),
    );
    return;
  }
  const url = addressOf(data, values);
  const headers: Record<string, string> = data.needsCredential
    ? { authorization: `Bearer ${key.value.trim()}` }
    : {};
  output.replaceChildren(element("p", { class: "muted" }, "Waiting for the answer."));
  const startedAt = performance.now();
  try {
    const response = await fetch(url, { headers, cache: "no-store", credentials: "omit" });
    const text = await shownBody(response);
    const ms = Math.round(performance.now() - startedAt);
    output.replaceChildren(
      element("p", {}, element("strong", {}, String(response.status)), ` in ${ms} ms, from ${url}`),
      element("pre", { tabindex: "0" }, element("code", {}, text)),
    );
  } catch {
    output.replaceChildren(element("p", {}, "The service did not answer. Try again."));
  }
}

function addressOf({ path }: TryData, values: Values): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { parameter, value } of values) {
    const text = value.trim();
    if (parameter.in === "path") {
      filled = filled.replace(`{${parameter.name}}`, encodeURIComponent(text));
    } else if (text !== "") {
      query.set(parameter.name, text);
    }
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
