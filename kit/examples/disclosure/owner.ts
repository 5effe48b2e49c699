// The owner's side of a disclosure from peer to peer. Start it first: it prints what to run next.
import { proveField } from "../../../protocol/index.ts";
import { disclose } from "../../disclosure/disclose.ts";
import { sendDisclosure } from "../../disclosure/send.ts";
import { verifyWebhook } from "../../webhooks/index.ts";
import { type LocalAgent, listen, post, readPlace, registerAgent } from "./local-agent.ts";

/** The data of `disclosure.requested`. */
interface Requested {
  readonly requestId: string;
  readonly requesterName: string;
  readonly requestedFields: readonly string[];
  readonly reason: string;
  readonly fulfillment: {
    readonly p2p: {
      readonly requesterEndpoint: string;
      readonly requesterPublicKey: `0x${string}` | null;
    } | null;
  };
}

/** The one field that this owner shows to anyone who asks. */
const FIELD = "soul.purpose";

const place = await readPlace();
const agent = await registerAgent(place, "Counts herons at dawn.");

let secret = "";
const nonces = new Set<string>();
const webhook = await listen(async (rawBody, headers) => {
  const verdict = await verifyWebhook({
    secrets: secret,
    headers,
    rawBody,
    now: new Date(),
    seenNonce(nonce) {
      const wasSeen = nonces.has(nonce);
      nonces.add(nonce);
      return wasSeen;
    },
  });
  if (!verdict.ok) return verdict.status;
  // A webhook is answered at once. What it asks for is done afterwards.
  void answer(agent, verdict.delivery.data as unknown as Requested).finally(() => webhook.close());
  return 204;
});
({ secret } = await post<{ secret: string }>(
  place,
  "/v1/webhooks",
  { tokenId: agent.tokenId, url: webhook.url, events: ["disclosure.requested"] },
  agent.apiKey,
));
console.log(`Waiting for a request. Now run:
  scripts/with-toolchain tsx kit/examples/disclosure/requester.ts ${agent.name}`);

async function answer({ owner, soul, ...agent }: LocalAgent, request: Requested): Promise<void> {
  const { requestId, requesterName, requestedFields, reason, fulfillment } = request;
  // A real owner decides here, by the policy and by who asks.
  console.log(`${requesterName} asks for ${requestedFields.join(", ")}: "${reason}"`);
  if (fulfillment.p2p === null || !requestedFields.includes(FIELD)) {
    console.log("It cannot be answered from peer to peer.");
    return;
  }
  const { requesterEndpoint, requesterPublicKey } = fulfillment.p2p;
  const signed = await disclose({
    requestId,
    fromAgent: agent.name,
    fromTokenId: agent.tokenId,
    disclosures: [{ ...proveField(soul, FIELD), merkleRoot: agent.merkleRoot }],
    expiresAt: null,
    sign: (raw) => owner.signMessage({ message: { raw } }),
    encryptTo:
      requesterPublicKey === null
        ? undefined
        : { kind: "secp256k1", publicKey: requesterPublicKey },
  });
  // `loopbackHttp` is for this machine only: leave it out, and only https to public hosts is used.
  const outcome = await sendDisclosure(requesterEndpoint, signed, { loopbackHttp: true });
  if (!outcome.delivered) {
    console.log(`Not delivered: ${outcome.reason}.`);
    return;
  }
  await post(
    place,
    `/v1/disclose/request/${requestId}/confirm-p2p`,
    { tokenId: agent.tokenId, fulfilledFields: [FIELD] },
    agent.apiKey,
  );
  console.log(`Delivered ${FIELD} and recorded it. The service has not seen the value.`);
}
