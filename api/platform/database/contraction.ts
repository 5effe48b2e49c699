/**
 * What a migration states that removes something: the second half of expand and contract. Its first
 * lines hold `-- contract: since 0.6.0, 0005_names. No release since then reads the old column.`
 */
export interface Contraction {
  /** The first release that does not use what the migration removes. */
  readonly since: string;
  /** Tag of a migration of that release: a process that does not know it cannot run any more. */
  readonly needs: string;
  readonly reason: string;
}

const MENTION = /^--\s*contract\b/im;
const HEADER = /^-- contract: since (\d+\.\d+\.\d+), (\d{4}_\w+)\. (\S.*\.)$/m;

/**
 * The contraction that a migration states; null without one.
 *
 * @throws Error when it cannot be read.
 */
export function contractionOf(sql: string): Contraction | null {
  if (!MENTION.test(sql)) return null;
  const [, since, needs, reason] = HEADER.exec(sql) ?? [];
  if (since === undefined || needs === undefined || reason === undefined) {
    throw new Error(
      "A contraction is stated as `-- contract: since <release>, <tag of a migration>. <Why nothing uses it.>`",
    );
  }
  return { since, needs, reason };
}

/** Whether a migration must run outside of a transaction, because it builds or drops an index concurrently. */
export function isConcurrent(sql: string): boolean {
  return /\bconcurrently\b/i.test(withoutComments(sql));
}

export function withoutComments(sql: string): string {
  return sql.replaceAll(/--.*$/gm, "");
}
