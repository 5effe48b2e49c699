export { proofChain } from "./chain.ts";
export type { ProofChain, ProofTrust, Verdict } from "./proof.ts";
export { verifyChronicleProof } from "./proof.ts";
