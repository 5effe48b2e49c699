import { lookup } from "node:dns";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import type { DeliveryOutcome, SendingOptions, SendPost, SignedDisclosure } from "./disclose.ts";
import { ForbiddenEndpointError, isAllowedAddress, sendWith } from "./disclose.ts";

/**
 * Sends a disclosure once. The requester chose the endpoint, so only https to public addresses is
 * used, and no redirect is followed: values go to that URL alone.
 *
 * @throws ForbiddenEndpointError
 */
export function sendDisclosure(
  endpoint: string,
  signed: SignedDisclosure,
  options: SendingOptions = {},
): Promise<DeliveryOutcome> {
  return sendWith(checkedPost, endpoint, signed, options);
}

/** Resolves to the status. What the requester answers beside it is not read. */
const checkedPost: SendPost = (url, { body, headers, signal }) => {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: "POST", headers, signal, agent: false, lookup: checkedLookup(url.protocol) },
      (answer) => {
        // Ending the connection is not a failure of the delivery.
        answer.on("error", () => {});
        resolve(answer.statusCode ?? 0);
        answer.destroy();
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
};

/**
 * Resolves a name, and refuses it unless every address is allowed. The checked addresses are the
 * ones connected to, so that a resolver gains nothing by changing its answer.
 */
const checkedLookup =
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
