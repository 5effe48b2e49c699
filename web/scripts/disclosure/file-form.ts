import { element } from "../lib/dom.ts";
import type { ChosenSoul } from "./soul-files.ts";

/** As people know the formats; empty goes by the file's name. */
const FORMATS: readonly (readonly [value: string, label: string])[] = [
  ["", "Go by the file's name"],
  ["ccsf_yaml", "CCSF, YAML"],
  ["ccsf_json", "CCSF, JSON"],
  ["plaintext", "System prompt"],
  ["soul_md", "SOUL.md"],
];

/** The form in which an owner chooses the soul's files. `onChosen` is called at every change. */
export function fileForm(onChosen: (chosen: ChosenSoul) => void): HTMLFormElement {
  const files = element("input", { class: "control", type: "file", multiple: true });
  const salt = element("input", { class: "control", type: "text", autocomplete: "off" });
  const description = element("input", { class: "control", type: "text", autocomplete: "off" });
  const format = element("select", { class: "control" });
  for (const [value, label] of FORMATS) format.append(element("option", { value }, label));

  const form = element(
    "form",
    { method: "dialog", novalidate: true, submit: (event: Event) => event.preventDefault() },
    field("soulFiles", "Files of the soul", files, [
      "The text: a CCSF document or the system prompt. And the proof file with the salt that you saved at the claim. They stay in your browser.",
    ]),
    field("soulSalt", "Salt", salt, ["Only without the proof file: 0x and 64 hexadecimal digits."]),
    element(
      "details",
      { class: "fold" },
      element("summary", {}, "If the file is not recognised"),
      field("soulFormat", "Written as", format, []),
      field("soulDescription", "Description of the agent", description, [
        "Only if the soul has one that the text does not hold.",
      ]),
    ),
  );
  form.addEventListener("change", () => {
    if (files.files === null || files.files.length === 0) return;
    const text = description.value.trim();
    onChosen({
      files: [...files.files],
      format: format.value,
      salt: salt.value.trim(),
      defaults: text === "" ? {} : { description: text },
    });
  });
  return form;
}

function field(
  id: string,
  label: string,
  control: HTMLElement,
  hint: readonly string[],
): HTMLElement {
  control.id = id;
  control.setAttribute("aria-describedby", `${id}-hint`);
  return element(
    "div",
    { class: "field" },
    element("label", { for: id }, label),
    control,
    element("p", { class: "hint", id: `${id}-hint` }, ...hint),
  );
}
