import type { Address } from "viem";
import type { AgentOwners } from "../kernel/access.ts";
import type { LiveState } from "./live-state.ts";

/** The counted owner, whose count is not used here. A registry rejects the zero address. */
const PLACEHOLDER_OWNER: Address = "0x0000000000000000000000000000000000000001";

export interface AgentOwnersOptions {
  /** The passport that an agent is bound to, which never changes; null when the index has not seen the agent. */
  readonly passportOf: (tokenId: bigint) => Promise<bigint | null>;
  readonly live: Pick<LiveState, "passportStates">;
}

/** Who owns agents: which passport to ask about comes from the index, everything that can change from the chain. */
export function createAgentOwners({ passportOf, live }: AgentOwnersOptions): AgentOwners {
  return {
    async ownerOfAgent(tokenId) {
      const passportId = await passportOf(tokenId);
      if (passportId === null) return null;
      const { passports } = await live.passportStates(PLACEHOLDER_OWNER, [passportId]);
      const [passport] = passports;
      // A burned soul is bound to nothing, and its passport may be another soul's by now.
      if (!passport?.soul || passport.soul.tokenId !== tokenId) return null;
      const { sealer, suspended, epoch } = passport.soul;
      return { epoch: BigInt(epoch), owner: passport.owner, sealer, suspended, passportId };
    },
  };
}
