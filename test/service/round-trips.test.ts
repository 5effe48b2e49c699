import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { groupTrips } from "../fixtures/round-trips/groups.ts";
import { OPTIONAL_MEMBERS } from "../fixtures/round-trips/members.ts";
import { recordTrips } from "../fixtures/round-trips/records.ts";
import {
  IDENTITY,
  type ReadAgent,
  registrationTrips,
} from "../fixtures/round-trips/registration.ts";
import {
  expectRoundTrip,
  once,
  type RoundTrip,
  type RoundTrips,
} from "../fixtures/round-trips/round-trip.ts";
import type { Service } from "../fixtures/service.ts";
import { sharedService } from "../fixtures/service.ts";

// What a request accepts is found again, or was refused by name.

let service: Service;
let registrations: ReturnType<typeof registrationTrips>;
let trips: RoundTrips;
beforeAll(async () => {
  service = await sharedService();
  registrations = registrationTrips(service);
  const all = { ...recordTrips(service), ...registrations.trips, ...groupTrips(service) };
  trips = Object.fromEntries(Object.entries(all).map(([owner, trip]) => [owner, once(trip)]));
});
afterAll(() => service?.stop());

/** Every member is in the archive; what has a place in file and profile is there too. */
function expectIdentity({ archive, file, profile }: ReadAgent): void {
  expect(archive.publicIdentity).toEqual(IDENTITY);
  const { tagline, displayName, image, website, x402Support } = IDENTITY;
  expect(file).toMatchObject({ description: tagline, displayName, image, x402Support });
  expect(file.services.slice(3)).toEqual([
    { name: "A2A", endpoint: IDENTITY.serviceEndpoints.a2a },
    { name: "MCP", endpoint: IDENTITY.serviceEndpoints.Mcp },
    { name: "web", endpoint: website },
    { name: "oasf", endpoint: IDENTITY.serviceEndpoints.oasf },
  ]);
  const { bio, category, tags, modelFamily, contacts } = IDENTITY;
  expect(profile).toMatchObject({
    displayName,
    avatarUrl: image,
    publicIdentity: { bio, category, tags, modelFamily, contacts },
  });
}

describe("a public identity with every member", () => {
  it.each([
    ["an owner's registration", "byOwner"],
    ["an agent's registration, given in all its forms", "byAgent"],
    ["a claim that edits every member", "edited"],
  ] as const)("is found again after %s", async (_what, registration) => {
    expectIdentity(await registrations[registration]());
  });
});

describe("the optional members of a write", () => {
  /** The one trip of all members of a write. */
  async function tripOf(owner: string): Promise<RoundTrip> {
    const trip = trips[owner];
    if (trip === undefined) throw new Error(`Nothing sends ${owner}.`);
    return trip();
  }

  it.each(OPTIONAL_MEMBERS)("are found again: of %s, in %s: %s", async (owner, _where, members) => {
    const trip = await tripOf(owner);
    for (const member of members.split(" ")) expectRoundTrip(trip, member);
  });
});
