import type { Command } from "../command.ts";
import { listed } from "../listed.ts";
import { emptyFields, hashedSoul, SOUL_ARGUMENT, SOUL_OPTIONS } from "../soul-file.ts";

export const hash: Command = {
  name: "hash",
  summary: "Hash a soul, on this machine alone",
  argument: SOUL_ARGUMENT,
  options: SOUL_OPTIONS,
  details: `The salt is read from its file, which is made (for its owner alone) when it does not exist. It is not shown.
With --json, the answer also has the twelve leaves that a registration needs.`,
  examples: ["hash soul.md", "hash agent.yaml --json", "hash card.json --format a2a_agent_card"],
  async run(input) {
    const { ccsf, soulHash, tree, format, sourceHash, defaulted, saltFile } =
      await hashedSoul(input);
    const { name, agent_type: type } = ccsf.identity;
    const empty = emptyFields(ccsf);
    return {
      code: 0,
      json: {
        agentName: name,
        agentType: type,
        soulHash,
        soulMerkleRoot: tree.root,
        merkleLeaves: tree.leaves,
        sourceFormat: format,
        sourceHash,
        defaultedFields: defaulted,
        emptyFields: empty,
        saltFile,
      },
      text: listed([
        ["soul hash", soulHash],
        ["Merkle root", tree.root],
        ["name", name],
        ["type", type],
        ["not stated", defaulted.length === 0 ? null : defaulted.join(", ")],
        ["empty", empty.length === 0 ? null : empty.join(", ")],
        ["salt", `in ${saltFile}`],
      ]),
    };
  },
};
