/** Sends mail to owners. */
export interface Mailer {
  send(mail: {
    readonly to: string;
    readonly subject: string;
    readonly text: string;
    /** Identifies this mail, so that a repeated send is the same mail. */
    readonly id: string;
  }): Promise<void>;
}
