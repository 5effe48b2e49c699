import type { Child } from "hono/jsx";
import { Choice, FileField, TextField } from "../../ui/fields.tsx";
import { fieldOf } from "../lib/form-values.ts";
import type { ChosenSoul } from "./soul-files.ts";

/** As people know the formats; empty goes by the file's name. */
const FORMATS = [
  { value: "", label: "Go by the file's name" },
  { value: "ccsf_yaml", label: "CCSF, YAML" },
  { value: "ccsf_json", label: "CCSF, JSON" },
  { value: "plaintext", label: "System prompt" },
  { value: "soul_md", label: "SOUL.md" },
];

/** The form in which an owner chooses the soul's files. `onChosen` is called at every change. */
export function fileForm(onChosen: (chosen: ChosenSoul) => void): Child {
  const changed = (form: HTMLFormElement) => {
    const text = (name: string) => fieldOf(form, name).value.trim();
    const { files } = fieldOf(form, "soulFiles") as HTMLInputElement;
    if (files === null || files.length === 0) return;
    const description = text("soulDescription");
    onChosen({
      files: [...files],
      format: text("soulFormat"),
      salt: text("soulSalt"),
      defaults: description === "" ? {} : { description },
    });
  };
  // At a change, not with every letter: the files are hashed each time.
  const listen = (form: HTMLFormElement | null) =>
    form?.addEventListener("change", () => changed(form));
  return (
    <form method="dialog" novalidate ref={listen} onSubmit={(event) => event.preventDefault()}>
      <FileField
        name="soulFiles"
        label="Files of the soul"
        multiple
        hint="The text: a CCSF document or the system prompt. And the proof file with the salt that you saved at the claim. They stay in your browser."
      />
      <TextField
        name="soulSalt"
        label="Salt"
        hint="Only without the proof file: 0x and 64 hexadecimal digits."
      />
      <details class="fold">
        <summary>If the file is not recognised</summary>
        <Choice name="soulFormat" label="Written as" options={FORMATS} />
        <TextField
          name="soulDescription"
          label="Description of the agent"
          hint="Only if the soul has one that the text does not hold."
        />
      </details>
    </form>
  );
}
