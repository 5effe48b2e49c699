import type { AgentClaims } from "../../kit/agent/claims.ts";

/** What a proof page is about. Untrusted: the page's script checks it against the chain. */
export type ProofSubject =
  | {
      readonly kind: "chronicle";
      /** As `GET /v1/chronicle/:queueId/proof` answers it. */
      readonly proof: object;
      /** The archived record in base64; null when it could not be read here. */
      readonly record: string | null;
    }
  | { readonly kind: "certificate"; readonly claims: AgentClaims }
  | {
      readonly kind: "alignment";
      readonly tokenId: number;
      /** The signed archive item of the last snapshot in base64; null when it is not in the page. */
      readonly item: string | null;
    };

/** What a page that verifies something hands to its script. The contracts are fields of its form. */
export interface ProofPageData {
  readonly chainId: number;
  /** The first block that can hold an event of the deployment. */
  readonly startBlock: number;
  /** URLs of public nodes; the first one is the default. */
  readonly nodes: readonly string[];
  /** Origins that the page may connect to. */
  readonly origins: readonly string[];
  /** Null on a page that takes a file. */
  readonly subject: ProofSubject | null;
  /** What a file is checked as; null when the page recognises it. */
  readonly expects: "disclosure" | null;
}
