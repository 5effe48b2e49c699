// Values for tests. None of them exists on a chain.

/** What the tokens of a test issuer say by default. */
export const EXAMPLE_AGENT = {
  agentName: "aurora",
  holder: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  agentId: 1,
  tokenId: 1,
  chainId: 31_337,
  tier: 2,
  scopes: ["identity"],
  humanVerified: false,
} as const;

/** Public: never use it outside of tests. */
export const EXAMPLE_WEBHOOK_SECRET = "whsec_dGVzdC1zZWNyZXQtdGVzdC1zZWNyZXQtdGVzdC1zZWM=";

/** A soul in Markdown, as `parseSource("soul_md", …)` of the entry `/protocol` reads it. */
export const EXAMPLE_SOUL = `---
name: aurora
agent_type: assistant
---

# Aurora

Answers questions of customers of a shop that sells lamps.
`;
