import { clearSigningDescriptor } from "../../protocol/clear-signing.ts";
import { SIGNED_TYPES, type SignedContract } from "../../protocol/signed-messages.ts";
import { publicDeployments } from "./deployments-file.ts";
import type { GeneratedFile } from "./generated-file.ts";

/** An ERC-7730 descriptor for each contract, bound to the deployments in `directory`. */
export function clearSigningFiles(directory?: string): GeneratedFile[] {
  const deployments = publicDeployments(directory);
  return (Object.keys(SIGNED_TYPES) as SignedContract[]).map((contract) => {
    const key = `${contract.charAt(0).toLowerCase()}${contract.slice(1)}`;
    const places = deployments.flatMap(({ chainId, contracts }) => {
      const address = contracts[key];
      return address ? [{ chainId, address }] : [];
    });
    return {
      path: `docs/erc7730/${contract}.json`,
      content: `${JSON.stringify(clearSigningDescriptor(contract, places), null, 2)}\n`,
    };
  });
}
