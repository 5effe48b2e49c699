// The requester's side of a disclosure from peer to peer: asks one agent for one field.
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex } from "viem";
import { DISCLOSURE_SIGNATURE_HEADER, type Field } from "../../../protocol/index.ts";
import {
  type DisclosureVerdict,
  type KnownRequest,
  receiveDisclosure,
} from "../../disclosure/receive.ts";
import { listen, post, readPlace, registerAgent } from "./local-agent.ts";

const FIELD: Field = "soul.purpose";

const place = await readPlace();
const [targetAgentName] = place.rest;
if (targetAgentName === undefined) throw new Error("Name the agent that owner.ts has printed.");
const agent = await registerAgent(place, "Compares notes on birds.");

// A key for this request alone. An agent with keys on chain can name one of them instead.
const privateKey = secp256k1.utils.randomSecretKey();

const requests = new Map<string, KnownRequest>();
const answered = new Set<string>();
const endpoint = await listen(async (rawBody, headers) => {
  // The request must be known before its answer is judged.
  await asked;
  const signature = headers[DISCLOSURE_SIGNATURE_HEADER.toLowerCase()];
  const verdict = await receiveDisclosure({
    rawBody,
    signature: typeof signature === "string" ? signature : null,
    rpcUrl: place.rpcUrl,
    soulView: place.soulView,
    request: (requestId) => requests.get(requestId) ?? null,
    seen(requestId) {
      const wasSeen = answered.has(requestId);
      answered.add(requestId);
      return wasSeen;
    },
    secrets: { secp256k1: bytesToHex(privateKey) },
    now: new Date(),
  });
  show(verdict);
  return verdict.ok ? 204 : 400;
});

const asked = ask();
await asked;

async function ask(): Promise<void> {
  const { requestId, expiresAt } = await post<{ requestId: string; expiresAt: string }>(
    place,
    "/v1/disclose/request",
    {
      requesterTokenId: agent.tokenId,
      targetAgentName,
      requestedFields: [FIELD],
      reason: "To compare notes.",
      disclosureEndpoint: endpoint.url,
      disclosurePublicKey: bytesToHex(secp256k1.getPublicKey(privateKey, true)),
    },
    agent.apiKey,
  );
  requests.set(requestId, {
    targetAgentName: String(targetAgentName),
    requestedFields: [FIELD],
    expiresAt: new Date(expiresAt),
  });
  console.log(`Asked ${targetAgentName} for ${FIELD}.`);
}

function show(verdict: DisclosureVerdict): void {
  if (!verdict.ok) {
    console.log(`Refused: ${verdict.reason}.`);
    return;
  }
  for (const { field, value } of verdict.disclosure.disclosures) {
    console.log(`${field} of ${verdict.disclosure.fromAgent}, proved on chain: ${value}`);
  }
  endpoint.close();
}
