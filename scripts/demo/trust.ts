import { keccak256, stringToHex, zeroHash } from "viem";
import { reputationRegistryAbi, validationRegistryAbi } from "../../protocol/generated/abi.ts";
import type { AgentName, Person } from "./cast.ts";
import type { Step } from "./step.ts";

type TrustLevel = "trusted" | "verified" | "limited" | "revoked";

/** Bindings in both directions, feedback, and validations, among agents of different owners. */
export function trustSteps(): Step[] {
  return [
    binds(28, "aurora", "quill", "trusted", "Sends children who ask for a story."),
    binds(28, "quill", "aurora", "verified", "Finds the book that a story comes from."),
    binds(27, "meridian", "sextant", "verified", "Checks the positions of every voyage."),
    binds(27, "sextant", "meridian", "limited", "Takes its logs, not its advice."),
    binds(26, "aurora", "ember", "limited", "Reads aloud on winter evenings."),
    binds(26, "bramble", "juniper", "trusted", "Grows the herbs that it reminds of."),
    binds(25, "wren", "bramble", "verified", "Translates the names of its trees."),
    binds(10, "aurora", "meridian", "limited", "Books the boat that brings the books."),
    binds(4, "aurora", "meridian", "revoked", "The books came late."),
    rates(24, "aurora", "tomas", 96, "starred"),
    rates(23, "aurora", "yuki", 88, "starred"),
    rates(22, "meridian", "yuki", 71, "successRate"),
    rates(18, "quill", "rosa", 93, "starred"),
    rates(9, "quill", "yuki", 54, "starred"),
    rates(7, "sextant", "rosa", 99, "uptime"),
    validates(16, "aurora", "yuki", 92, "catalogue-accuracy"),
    validates(15, "meridian", "yuki", 64, "route-safety"),
  ];
}

function binds(
  daysAgo: number,
  from: AgentName,
  to: AgentName,
  trustLevel: TrustLevel,
  context: string,
): Step {
  return {
    daysAgo,
    subject: from,
    title: trustLevel === "revoked" ? `trusts ${to} no more` : `trusts ${to}: ${trustLevel}`,
    async run({ client, agent }) {
      const { tokenId, owner: signer } = agent(from);
      const partnerTokenId = agent(to).tokenId;
      const body = { tokenId, partnerTokenId, trustLevel, context };
      await client.sign("createBinding", { body, signer });
    },
  };
}

function rates(
  daysAgo: number,
  name: AgentName,
  reviewer: Person,
  value: number,
  tag: string,
): Step {
  return {
    daysAgo,
    subject: name,
    title: `is rated ${value} by ${reviewer}`,
    run: ({ stack, agent, person, send }) =>
      send(person(reviewer), {
        address: stack.deployment.contracts.reputationRegistry,
        abi: reputationRegistryAbi,
        functionName: "giveFeedback",
        args: [BigInt(agent(name).passportId), BigInt(value), 0, tag, "", "", "", zeroHash],
      }),
  };
}

/** The owner asks for a validation, and the validator answers. */
function validates(
  daysAgo: number,
  name: AgentName,
  validator: Person,
  response: number,
  tag: string,
): Step {
  return {
    daysAgo,
    subject: name,
    title: `is validated by ${validator}: ${response}`,
    async run({ stack, agent, person, send }) {
      const { validationRegistry: address } = stack.deployment.contracts;
      if (address === null) throw new Error("The deployment has no validation registry.");
      const { passportId, owner } = agent(name);
      const by = person(validator);
      const uri = `data:text/plain,${tag}`;
      const requestHash = keccak256(stringToHex(`${name} ${tag}`));
      await send(owner, {
        address,
        abi: validationRegistryAbi,
        functionName: "validationRequest",
        args: [by.address, BigInt(passportId), uri, requestHash],
      });
      await send(by, {
        address,
        abi: validationRegistryAbi,
        functionName: "validationResponse",
        args: [requestHash, response, uri, keccak256(stringToHex(uri)), tag],
      });
    },
  };
}
