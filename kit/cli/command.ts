/** An option of a subcommand. */
export interface CommandOption {
  readonly name: string;
  /** What stands for the value in help texts; null for a flag without a value. */
  readonly value: string | null;
  readonly summary: string;
  /** The environment variable that sets it where the option is absent. */
  readonly variable?: string;
  /** Whether it may be given more than once. In the variable, commas separate the values. */
  readonly isRepeated?: boolean;
}

/** The process around a subcommand. */
export interface CommandIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  readStandardInput(): Promise<Uint8Array>;
  /** A line of progress, or a warning: never a part of the answer. */
  note(line: string): void;
  /** Asks on the terminal, without echo. Null where there is no terminal. */
  readonly askSecret: ((question: string) => Promise<string>) | null;
}

/** The parsed arguments of a subcommand, and the process around it. */
export interface CommandInput {
  /** The argument; empty where it is optional and absent. */
  readonly argument: string;
  /** The option's value, else its variable's. */
  option(name: string): string | undefined;
  /** All values of a repeated option. */
  options(name: string): readonly string[];
  flag(name: string): boolean;
  readonly io: CommandIo;
}

export interface CommandAnswer {
  /** 0 for yes, 1 for no. That it could not be found out is an error. */
  readonly code: 0 | 1;
  /** For `--json`. */
  readonly json: Readonly<Record<string, unknown>>;
  /** For people, without the last line end. */
  readonly text: string;
}

/** A subcommand as data. */
export interface Command {
  /** One or two words, such as `verify agent`. */
  readonly name: string;
  readonly summary: string;
  /** Its argument, when it takes one. */
  readonly argument?: {
    readonly value: string;
    readonly summary: string;
    readonly isOptional?: boolean;
  };
  readonly options: readonly CommandOption[];
  /** What the help says beside the options, in lines of at most 100 characters. */
  readonly details?: string;
  /** Arguments after `svc`. */
  readonly examples: readonly string[];
  run(input: CommandInput): Promise<CommandAnswer>;
}

/** The command was called in a wrong way. The reader is sent to the help. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The answer could not be found out, or the work not be done. */
export class CommandError extends Error {
  override readonly name = "CommandError";

  constructor(
    message: string,
    /** What to do; empty where the message says it. */
    readonly advice = "",
    /** 1 where the answer is no. */
    readonly exitCode: 1 | 2 = 2,
  ) {
    super(message);
  }
}
