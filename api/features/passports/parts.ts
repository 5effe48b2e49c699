import type { PublicClient } from "viem";
import type { Links } from "../../kernel/links.ts";
import type { Deployment } from "../../platform/config/deployment.ts";
import type { OutboundHttp } from "../../platform/outbound/ports.ts";
import type { PermanentStorage } from "../../platform/storage/permanent.ts";
import { createFileSource } from "./file-source.ts";
import type { FileDeps } from "./file-update.ts";
import { createOperatedPassports } from "./operated.chain.ts";

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
      stored: archive.read,
      http: options.outbound,
      storageUrl: links.storage(""),
    }),
    ids: archive,
  };
}
