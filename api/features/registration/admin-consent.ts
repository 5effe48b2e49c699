import { encodeAbiParameters, type Hex } from "viem";
import type { AdmitMessage } from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";

/** What an organization's admin signed to admit one registration; see `IOrganizationRegistry.Admit`. */
export interface AdminConsent {
  readonly message: AdmitMessage;
  readonly signature: Hex;
}

const ENCODING = [{ type: "uint256" }, { type: "uint256" }, { type: "bytes" }] as const;

/**
 * The consent as the organization registry takes it; `0x` for none.
 *
 * @throws ApiError INVALID_REQUEST, naming the field, when it is about another registration or organization.
 */
export function encodeAdminConsent(
  consent: AdminConsent | null,
  registration: { readonly digest: Hex; readonly organizationId: bigint },
): Hex {
  if (consent === null) return "0x";
  const { message, signature } = consent;
  const expected = {
    registrationDigest: registration.digest,
    organizationId: registration.organizationId,
  };
  const issues = (["registrationDigest", "organizationId"] as const)
    .filter((field) => message[field] !== expected[field])
    .map((field) => ({
      path: `adminSignature.message.${field}`,
      message: `The request says ${expected[field]}`,
    }));
  if (issues.length > 0) {
    throw new ApiError("INVALID_REQUEST", {
      message: "The admin's consent is not about this request.",
      details: { issues },
    });
  }
  return encodeAbiParameters(ENCODING, [message.nonce, message.deadline, signature]);
}
