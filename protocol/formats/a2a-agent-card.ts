import { nonEmpty, paragraphs, readObject } from "./foreign-json.ts";
import type { SourceFormat } from "./format.ts";

/**
 * An agent card of the A2A protocol: who the agent is and which skills it offers. Addresses,
 * transports and security schemes belong to the registration file, not to the soul, and are
 * ignored.
 */
export const a2aAgentCard: SourceFormat = {
  name: "a2a_agent_card",
  parse: (text) => {
    const card = readObject(text, "a2a_agent_card");
    const skills = card
      .objects("skills")
      .map((skill) =>
        [skill.text("name") ?? skill.text("id"), skill.text("description")]
          .filter((part) => part !== undefined && part.trim() !== "")
          .join(": "),
      );
    const description = paragraphs(card.text("description"));
    return {
      document: {
        identity: description === "" ? {} : { description },
        capabilities: { skills: nonEmpty(skills) },
      },
      title: card.text("name"),
    };
  },
};
