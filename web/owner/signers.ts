import type { Signers } from "./data.ts";

/** The account that owns an agent, and no other. */
export function onlyOwner({
  owner,
  name,
}: {
  readonly owner: string;
  readonly name: string;
}): Signers {
  return { accounts: [owner], refusal: `This account does not own ${name}` };
}
