import { type ForeignObject, nonEmpty, paragraphs, readObject } from "./foreign-json.ts";
import type { SourceFormat } from "./format.ts";

/**
 * A character file of either common kind: the flat file of agent frameworks (`bio`, `lore`,
 * `adjectives`, `style`), and the character card of chat programs, with or without its `data`
 * envelope (`description`, `personality`, `system_prompt`). Sample messages, secrets and settings
 * are ignored.
 */
export const characterJson: SourceFormat = {
  name: "character_json",
  parse: (text) => {
    const file = readObject(text, "character_json");
    const character = file.object("data") ?? file;
    return { document: soulOf(character), title: character.text("name") };
  },
};

function soulOf(character: ForeignObject): unknown {
  const description = paragraphs(character.text("description"), ...character.texts("bio"));
  const style = character.object("style");
  return {
    identity: description === "" ? {} : { description },
    soul: {
      purpose: paragraphs(
        character.text("system"),
        character.text("system_prompt"),
        character.text("scenario"),
      ),
      personality: paragraphs(
        character.text("personality"),
        nonEmpty(character.texts("adjectives")).join(", "),
        ...character.texts("lore"),
      ),
      guidelines: nonEmpty([
        ...(style?.texts("all") ?? []),
        ...(style?.texts("chat") ?? []),
        ...(style?.texts("post") ?? []),
      ]),
    },
    capabilities: {
      skills: nonEmpty(character.texts("topics")),
      tools: nonEmpty(character.texts("plugins")),
      models: nonEmpty(character.texts("modelProvider")),
    },
  };
}
