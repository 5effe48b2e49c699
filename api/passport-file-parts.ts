import type { PublicClient } from "viem";
import { createOperatedPassports } from "./chain/operated-passports.ts";
import type { Deployment } from "./deployment.ts";
import type { Links } from "./services/links.ts";
import type { OutboundHttp } from "./services/outbound.ts";
import { createFileSource } from "./services/registration-file-source.ts";
import type { FileDeps } from "./services/registration-file-update.ts";
import type { PermanentStorage } from "./storage/permanent.ts";

/** What reads and plans the registration files that passports point at. */
export function buildPassportFiles(options: {
  readonly deployment: Deployment;
  readonly chain: PublicClient;
  readonly archive: PermanentStorage;
  readonly links: Links;
  /** For registration files on other servers. */
  readonly outbound: OutboundHttp;
}): FileDeps {
  const { deployment, chain: client, archive, links } = options;
  const { soulRegistry, passportWriter, identityRegistry } = deployment.contracts;
  return {
    context: {
      chainId: deployment.chainId,
      identityRegistry,
      soulRegistry,
      passportWriter,
      links,
    },
    passports: createOperatedPassports({
      client,
      soulRegistry,
      passportWriter,
      identityRegistry,
    }),
    files: createFileSource({
      ...{ stored: archive.read, http: options.outbound, storageUrl: links.storage("") },
    }),
    ids: archive,
  };
}
