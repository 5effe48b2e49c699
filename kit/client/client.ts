import { type BaseClient, type ClientOptions, createBaseClient } from "./create-client.ts";

/** A client of one service, with one credential or none. */
export interface Client extends BaseClient {
  /** The same client with another credential, such as the token of a sign-in. */
  with(credential: Pick<ClientOptions, "apiKey" | "token">): Client;
}

/**
 * A client of all operations of a service.
 *
 * @throws ApiError INVALID_INPUT for an address that a credential must not be sent to.
 */
export function createClient(options: ClientOptions): Client {
  const base = createBaseClient(options);
  return {
    ...base,
    with: ({ apiKey, token }) => createClient({ ...options, apiKey, token }),
  };
}
