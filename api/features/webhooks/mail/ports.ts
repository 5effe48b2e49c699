/** A request to the holder of a mail address to say that notices of a webhook may go there. */
export interface MailConfirmation {
  readonly id: string;
  readonly webhookId: string;
  /** Of the token in its link. The token itself is derived, and in no table. */
  readonly tokenHash: Buffer;
  /** Version of the master key that the token is derived from. */
  readonly tokenMaster: number;
  /** Keyed hash of the address in lower case. */
  readonly addressHash: Buffer;
  /** The agent, or the registration before its claim. */
  readonly subject: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

/** Confirmations in a database. */
export interface ConfirmationRows {
  /** Until the transaction's end, no other one asks this address. */
  lockAddress(addressHash: Buffer): Promise<void>;
  /** How often the address was asked, and how many addresses were asked for the subject. */
  countConfirmations(
    asked: Pick<MailConfirmation, "addressHash" | "subject">,
    since: Date,
  ): Promise<{ readonly ofAddress: number; readonly ofSubject: number }>;
  insertConfirmation(confirmation: MailConfirmation): Promise<void>;
  findConfirmation(
    which: { readonly id: string } | { readonly tokenHash: Buffer },
  ): Promise<MailConfirmation | null>;
  /** Uses a token up. Null for one that is unknown, used or expired. */
  useConfirmation(tokenHash: Buffer, at: Date): Promise<Pick<MailConfirmation, "webhookId"> | null>;
}
