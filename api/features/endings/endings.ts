import type { Platform } from "../../platform/build.ts";
import type { SoulReads } from "../../soul/build.ts";
import type { WasStopped } from "../keys/index.ts";
import type { FileDeps } from "../passports/index.ts";
import type { RegistrationContext } from "../registration/index.ts";
import type { EndingsChain } from "./endings.chain.ts";
import type { EndedReads, ReplacedSoul } from "./endings.store.ts";

/** What the decisions that end an epoch or a life work with. */
export interface Endings
  extends FileDeps,
    Pick<Platform, "archive" | "secrets" | "clock">,
    Pick<SoulReads, "souls"> {
  readonly chain: EndingsChain;
  readonly ended: EndedReads;
  readonly replaced: (tokenId: bigint) => Promise<ReplacedSoul>;
  /** Has the service record the passport's owner on chain. */
  readonly requestSuspension: (tokenId: bigint) => Promise<unknown>;
  readonly registrationContext: RegistrationContext;
  readonly wasStopped: WasStopped;
}
