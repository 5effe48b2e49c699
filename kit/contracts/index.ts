// ABIs, one constant a contract, and the addresses of the deployments.

export * from "../../protocol/generated/abi.ts";
export * from "./deployments.ts";
