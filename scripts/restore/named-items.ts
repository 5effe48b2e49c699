import type pg from "pg";
import { storageIdIn, storageIdOf } from "../../protocol/index.ts";
import type { RebuiltItems } from "./items.ts";

/** Ids that the chain names by itself. Those of an owner's choice may never have been stored. */
const NAMED: readonly { readonly query: string; readonly isRequired: boolean }[] = [
  {
    query: `select 'The archive of soul ' || token_id as by, archive_id as id
      from chain.soul where archive_id is not null`,
    isRequired: true,
  },
  {
    query: `select kind || ' ' || revision || ' of soul ' || token_id as by, archive_id as id
      from chain.soul_revision where archive_id is not null`,
    isRequired: true,
  },
  {
    query: `select 'A DID document of soul ' || token_id as by, archive_id as id from chain.did_archive
      where archive_id <> '0x' || repeat('0', 64)`,
    isRequired: false,
  },
  {
    query: `select 'The keys of soul ' || token_id as by, archive_id as id
      from chain.agent_keys_change where archive_id is not null`,
    isRequired: false,
  },
  {
    query: `select 'The file of passport ' || passport.id as by, passport.uri as id
      from chain.passport as passport join chain.soul as soul on soul.passport_id = passport.id
      where passport.uri like 'ar://%'`,
    isRequired: false,
  },
];

/** Fetches what the chain names, and the pictures that registration files name. @returns what is missing. */
export async function namedItems(client: pg.Client, items: RebuiltItems): Promise<string[]> {
  const problems: string[] = [];
  for (const { query, isRequired } of NAMED) {
    const { rows } = await client.query<{ by: string; id: string }>(query);
    for (const { by, id: named } of rows) {
      const id = idIn(named);
      if (id === null) continue;
      const content = await items.content(id, isRequired);
      if (content === null && isRequired)
        problems.push(`${by} is not on permanent storage: ${id}.`);
      if (content?.contentType !== "application/json") continue;
      for (const picture of picturesIn(content.data)) await items.content(picture, false);
    }
  }
  return [...new Set(problems)];
}

function idIn(text: string): string | null {
  if (text.startsWith("ar://")) return storageIdIn(text);
  return text.startsWith("0x") ? storageIdOf(text as `0x${string}`) : text;
}

function picturesIn(json: Uint8Array): string[] {
  const text = new TextDecoder().decode(json);
  return [...text.matchAll(/"ar:\/\/([A-Za-z0-9_-]{43})"/g)].flatMap(([, id = ""]) => {
    const known = storageIdIn(`ar://${id}`);
    return known === null ? [] : [known];
  });
}
