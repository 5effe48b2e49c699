import type { Address, Hex } from "viem";
import { isAddressEqual } from "viem";
import type { RegistrationMessage } from "../../../protocol/index.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { Requester } from "../../platform/sponsorship/gas-budget.ts";
import type { ChainSoul, ChainSouls } from "../../soul/chain-soul.ts";
import { requireSoul } from "../../soul/require-soul.ts";
import type {
  PreparedRegistration,
  RegistrationInput,
  RegistrationService,
} from "../registration/index.ts";
import type { EndingsChain } from "./endings.chain.ts";

export type Reincarnations = ReturnType<typeof createReincarnations>;

/** The next life of a soul that ended: a registration whose parent is burned. */
export function createReincarnations({
  souls,
  registration,
  genesisSoulHash: genesisSoulHashOf,
}: Pick<EndingsChain, "genesisSoulHash"> & {
  readonly souls: ChainSouls;
  readonly registration: Pick<RegistrationService, "prepare" | "register">;
}) {
  /**
   * The parent, which its last owner may succeed.
   *
   * @throws ApiError NOT_FOUND; FORBIDDEN for a parent that lives; NOT_OWNER.
   */
  async function parentOf(input: RegistrationInput): Promise<ChainSoul> {
    const { parentTokenId, ownerAddress } = input;
    const parent = await requireSoul(souls, parentTokenId, "registered");
    if (parent.status !== "BURNED") {
      throw new ApiError("FORBIDDEN", {
        message:
          "The parent has not ended. End it with POST /v1/burn, or register a descendant with POST /v1/register.",
      });
    }
    if (!isAddressEqual(parent.sealer, ownerAddress)) {
      throw new ApiError("NOT_OWNER", {
        message: "Only the last account that sealed the parent may register its successor.",
      });
    }
    return parent;
  }

  /** How the soul compares with its parent's: with the last one, and with the first one. */
  async function likeness({ soulHash }: RegistrationInput, parent: ChainSoul) {
    const genesisSoulHash = await genesisSoulHashOf(parent.tokenId);
    return {
      soulContinuity: soulHash === parent.soulHash,
      soulHashMatch: soulHash === genesisSoulHash,
    };
  }

  /** The same soul is hashed with its parent's name, which is never given twice. */
  function named(
    input: RegistrationInput,
    parent: ChainSoul,
    { soulContinuity, soulHashMatch }: Awaited<ReturnType<typeof likeness>>,
  ): RegistrationInput {
    return soulContinuity || soulHashMatch ? { ...input, formerName: parent.name } : input;
  }

  return {
    async prepare(input: RegistrationInput): Promise<PreparedRegistration> {
      const parent = await parentOf(input);
      return registration.prepare(named(input, parent, await likeness(input, parent)));
    },

    /** Registers the successor. Throws as `RegistrationService.register`, and as above. */
    async reincarnate(
      input: RegistrationInput,
      authorization: {
        readonly message: RegistrationMessage;
        readonly signature: Hex;
        readonly signer: Address;
      },
      requester: Requester,
    ) {
      const parent = await parentOf(input);
      const like = await likeness(input, parent);
      const registered = await registration.register(
        named(input, parent, like),
        { ...authorization, adminConsent: null },
        requester,
      );
      return { registered, parent, ...like };
    },
  };
}
