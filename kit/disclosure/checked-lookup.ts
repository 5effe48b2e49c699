import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { ForbiddenEndpointError, isAllowedAddress } from "./disclose.ts";

/**
 * Resolves a name for a connection, and refuses it unless every address is allowed. The checked
 * addresses are the ones connected to, so that a resolver gains nothing by changing its answer.
 */
export const checkedLookup =
  (protocol: string): LookupFunction =>
  (hostname, options, answer) => {
    lookup(hostname, { all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) {
        answer(error ?? new Error("The name has no address."), "", 0);
      } else if (!addresses.every(({ address }) => isAllowedAddress(protocol, address))) {
        answer(new ForbiddenEndpointError(), "", 0);
      } else if (options.all === true) answer(null, addresses);
      else answer(null, first.address, first.family);
    });
  };
