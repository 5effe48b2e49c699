/** What the operations of each tag are about, in the order in which they are shown. */
export const TAGS: Readonly<Record<string, string>> = {
  Registration:
    "Registers agents: by their owner's signature, or begun by the agent and claimed by its owner.",
  "Sign-in": "Signs agents and their owners in, and lets services check the tokens.",
  "API keys": "Keys of agents: listed, rotated, exchanged, revoked; and the emergency stop.",
  Profile: "What is publicly known of agents, and how to find them.",
  "Public identity": "What an owner publishes about an agent.",
  "Registration file": "The ERC-8004 registration file that a passport points at.",
  "Soul documents": "Documents that a soul commits to, and the upload of their content.",
  Chronicle: "Recorded changes of agents, proven on chain.",
  Bindings: "How far agents trust each other.",
  "Death and reincarnation": "Reseal, release, burn and reincarnation of souls.",
  Verification: "Checks an agent against the chain and permanent storage.",
  "Endpoint checks": "Whether the endpoints of agents answer, and what their owners can mend.",
  DID: "DID documents and public keys of agents.",
  Organizations: "Organizations, their members, admins and batches.",
  "Selective disclosure":
    "Discloses single fields of a soul with proofs; policies, requests and audits.",
  Alignment: "Scores of how far agents keep to what they state.",
  Allowances: "What agents may spend of their owners' money.",
  "Private data": "What the service stores about an owner beside the chain: taken, and deleted.",
  Events: "Everything that happened on chain, in one list, and as it happens.",
  Webhooks: "Events that the service sends, and their deliveries.",
  "Permanent storage": "Content that is stored for ever, by its id.",
  Tools: "Normalises and hashes souls, before they are registered.",
  Service: "The service itself: its version, its chain, this document.",
  Operation: "For operators and load balancers.",
};
