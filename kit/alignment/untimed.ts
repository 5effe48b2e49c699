import type { OnChainFact } from "../../protocol/alignment/index.ts";

type Untimed<Fact> = Fact extends OnChainFact ? Omit<Fact, "timestamp"> : never;

/** A fact as its event says it, before the time of its block is read. */
export type UntimedFact = Untimed<OnChainFact>;
