// Written by `npm run generate` from the compiled contracts.

export { agentKeysAbi } from "./abi/agent-keys.ts";
export { alignmentRegistryAbi } from "./abi/alignment-registry.ts";
export { allowanceVaultAbi } from "./abi/allowance-vault.ts";
export { bindingRegistryAbi } from "./abi/binding-registry.ts";
export { chronicleAnchorAbi } from "./abi/chronicle-anchor.ts";
export { humanVerifierRegistryAbi } from "./abi/human-verifier-registry.ts";
export { identityRegistryAbi } from "./abi/identity-registry.ts";
export { organizationRegistryAbi } from "./abi/organization-registry.ts";
export { passportMintAbi } from "./abi/passport-mint.ts";
export { passportWriterAbi } from "./abi/passport-writer.ts";
export { registrarsAbi } from "./abi/registrars.ts";
export { reputationRegistryAbi } from "./abi/reputation-registry.ts";
export { soulCertificateAbi } from "./abi/soul-certificate.ts";
export { soulRegistryAbi } from "./abi/soul-registry.ts";
export { soulViewAbi } from "./abi/soul-view.ts";
export { validationRegistryAbi } from "./abi/validation-registry.ts";
