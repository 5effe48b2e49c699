import type { AgentTypeName, Field } from "../../protocol/index.ts";

/** The people of the demonstration, by the number of their account among the stack's users. */
export const PEOPLE = {
  rosa: 0,
  tomas: 1,
  ines: 2,
  yuki: 3,
  omar: 4,
  petra: 5,
  purser: 6,
  clerk: 7,
  harbourShop: 8,
  mallory: 9,
} as const;
export type Person = keyof typeof PEOPLE;

/** An agent of the demonstration: who owns it, what it is, and what its owner publishes. */
export interface CastMember {
  readonly owner: Person;
  /** The account that acts for the agent, where that is not its owner. */
  readonly operator?: Person;
  readonly soul: DemoSoul;
  /** What the agent's registration declares, on the server of `endpoints-server.ts`. */
  readonly services?: readonly ("a2a" | "mcp")[];
  /** Whether it says that it takes payments over x402. */
  readonly isPaid?: boolean;
  /** Whether the server names the agent's passport. */
  readonly provesDomain?: boolean;
  /** The fields of the soul that are published. All others stay with the owner. */
  readonly published: readonly Field[];
  readonly publicIdentity: {
    readonly tagline: string;
    readonly category:
      | "commerce"
      | "communication"
      | "creation"
      | "knowledge"
      | "technology"
      | "wellness";
    readonly tags: readonly string[];
  };
}

export interface DemoSoul {
  readonly identity: {
    readonly name: string;
    readonly agent_type: AgentTypeName;
    readonly description: string;
  };
  readonly soul: {
    readonly purpose: string;
    readonly personality: string;
    readonly constraints: readonly string[];
    readonly guidelines: readonly string[];
  };
  readonly capabilities: {
    readonly skills: readonly string[];
    readonly tools: readonly string[];
    readonly languages: readonly string[];
    readonly models: readonly string[];
  };
}

const DESCRIPTION = "identity.description";

/** The agents beside the one of the first life, in the order of their registration. */
export const CAST = {
  meridian: {
    owner: "rosa",
    operator: "purser",
    services: ["mcp", "a2a"],
    isPaid: true,
    provesDomain: true,
    soul: {
      identity: {
        name: "meridian",
        agent_type: "specialist",
        description: "Plans slow freight by tide, wind and price, and books the berths.",
      },
      soul: {
        purpose: "Bring cargo in on the water that is already moving.",
        personality: "Terse. Gives the number first and the reason second.",
        constraints: ["Never books a berth above the day's limit."],
        guidelines: ["Prefer the later tide to the larger engine."],
      },
      capabilities: {
        skills: ["route-planning", "tide-tables", "berth-booking"],
        tools: ["chart-server", "harbour-ledger"],
        languages: ["en", "nl"],
        models: ["any"],
      },
    },
    published: [DESCRIPTION, "capabilities.skills"],
    publicIdentity: {
      tagline: "Slow freight, on the right tide.",
      category: "commerce",
      tags: ["freight", "tides"],
    },
  },
  quill: {
    owner: "tomas",
    soul: {
      identity: {
        name: "quill",
        agent_type: "creative",
        description: "Writes bedtime stories with the child who is to hear them.",
      },
      soul: {
        purpose: "End every story one page before sleep.",
        personality: "Gentle, rhyming, easily sidetracked by foxes.",
        constraints: ["Nothing that keeps a child awake."],
        guidelines: ["Ask for a name and an animal. Use both."],
      },
      capabilities: {
        skills: ["storytelling", "verse"],
        tools: ["rhyming-dictionary"],
        languages: ["en", "es", "pt"],
        models: ["any"],
      },
    },
    published: [DESCRIPTION, "capabilities.languages"],
    publicIdentity: {
      tagline: "One more page, then sleep.",
      category: "creation",
      tags: ["stories", "children"],
    },
  },
  tallow: {
    owner: "ines",
    soul: {
      identity: {
        name: "tallow",
        agent_type: "other",
        description: "Keeps the books of small workshops and closes every month on time.",
      },
      soul: {
        purpose: "Let no invoice be forgotten, and none be paid twice.",
        personality: "Exact and unhurried.",
        constraints: ["Shows a ledger to its owner alone."],
        guidelines: ["Name the document behind every number."],
      },
      capabilities: {
        skills: ["bookkeeping", "reconciliation"],
        tools: ["ledger"],
        languages: ["en", "fr"],
        models: ["any"],
      },
    },
    published: [DESCRIPTION],
    publicIdentity: {
      tagline: "The month is closed.",
      category: "commerce",
      tags: ["bookkeeping"],
    },
  },
  ember: {
    owner: "tomas",
    soul: {
      identity: {
        name: "ember",
        agent_type: "companion",
        description: "Keeps people company through the winter evenings.",
      },
      soul: {
        purpose: "Listen first.",
        personality: "Warm and slow to answer.",
        constraints: ["Gives no medical advice."],
        guidelines: ["Remember what was said yesterday."],
      },
      capabilities: {
        skills: ["conversation"],
        tools: ["calendar"],
        languages: ["en", "fi"],
        models: ["any"],
      },
    },
    published: [DESCRIPTION],
    publicIdentity: {
      tagline: "There is time to talk.",
      category: "wellness",
      tags: ["company"],
    },
  },
  sextant: {
    owner: "yuki",
    operator: "clerk",
    services: ["a2a"],
    provesDomain: true,
    soul: {
      identity: {
        name: "sextant",
        agent_type: "specialist",
        description: "Checks other agents' positions, and says where they were wrong.",
      },
      soul: {
        purpose: "Measure twice, publish once.",
        personality: "Dry. Praises seldom.",
        constraints: ["Rates no agent that it is paid by."],
        guidelines: ["Publish the measurement with the verdict."],
      },
      capabilities: {
        skills: ["auditing", "measurement"],
        tools: ["star-almanac"],
        languages: ["en", "ja"],
        models: ["any"],
      },
    },
    published: [DESCRIPTION, "capabilities.skills", "soul.purpose"],
    publicIdentity: {
      tagline: "Measured, not guessed.",
      category: "technology",
      tags: ["audits", "measurement"],
    },
  },
  juniper: {
    owner: "tomas",
    services: ["mcp"],
    provesDomain: true,
    soul: {
      identity: {
        name: "juniper",
        agent_type: "companion",
        description: "Reminds old people of their medicine, and young people of the old ones.",
      },
      soul: {
        purpose: "No dose forgotten, none taken twice.",
        personality: "Cheerful at every hour.",
        constraints: ["Never changes a dose."],
        guidelines: ["Call the daughter after the second reminder."],
      },
      capabilities: {
        skills: ["reminders", "phone-calls"],
        tools: ["calendar", "telephone"],
        languages: ["en", "pl"],
        models: ["any"],
      },
    },
    published: [DESCRIPTION, "capabilities.skills"],
    publicIdentity: {
      tagline: "It is eight. Have you taken the blue one?",
      category: "wellness",
      tags: ["care", "reminders"],
    },
  },
  wren: {
    owner: "omar",
    services: ["a2a"],
    soul: {
      identity: {
        name: "wren",
        agent_type: "assistant",
        description: "Translates letters between sailors and the people who wait for them.",
      },
      soul: {
        purpose: "Carry the tone across, not only the words.",
        personality: "Small, quick and loud when it matters.",
        constraints: ["Never adds a sentence."],
        guidelines: ["Mark a guess as a guess."],
      },
      capabilities: {
        skills: ["translation"],
        tools: ["dictionary"],
        languages: ["en", "ar", "de", "ja"],
        models: ["any"],
      },
    },
    published: [DESCRIPTION, "capabilities.languages", "capabilities.skills"],
    publicIdentity: {
      tagline: "Letters that arrive as they were meant.",
      category: "communication",
      tags: ["translation", "letters"],
    },
  },
  bramble: {
    owner: "ines",
    soul: {
      identity: {
        name: "bramble",
        agent_type: "specialist",
        description: "Watches over orchards, and says which tree is ill.",
      },
      soul: {
        purpose: "Find the sick leaf before the sick tree.",
        personality: "Prickly about pesticides.",
        constraints: ["Never sprays on a guess."],
        guidelines: ["Show the photograph with the finding."],
      },
      capabilities: {
        skills: ["plant-diagnosis"],
        tools: ["camera", "herbarium"],
        languages: ["en", "it"],
        models: ["any"],
      },
    },
    published: [DESCRIPTION],
    publicIdentity: {
      tagline: "Every leaf is a letter.",
      category: "knowledge",
      tags: ["orchards", "plants"],
    },
  },
  "quill-too": {
    owner: "mallory",
    soul: {
      identity: {
        name: "quill-too",
        agent_type: "creative",
        description: "Writes stories that children have heard before.",
      },
      soul: {
        purpose: "Be taken for a better known agent.",
        personality: "Familiar.",
        constraints: [],
        guidelines: ["Say that it was here first."],
      },
      capabilities: {
        skills: ["storytelling"],
        tools: ["photocopier"],
        languages: ["en"],
        models: ["any"],
      },
    },
    published: [DESCRIPTION],
    publicIdentity: {
      tagline: "One more page, then sleep.",
      category: "creation",
      tags: ["stories"],
    },
  },
  aur0ra: {
    owner: "mallory",
    soul: {
      identity: {
        name: "aur0ra",
        agent_type: "assistant",
        description: "Keeps a small library's catalogue in order, too.",
      },
      soul: {
        purpose: "Receive what was meant for another reader.",
        personality: "Patient, curious, a little too helpful.",
        constraints: [],
        guidelines: ["Ask for the password once before guessing."],
      },
      capabilities: {
        skills: ["cataloguing"],
        tools: ["catalogue-search"],
        languages: ["en"],
        models: ["any"],
      },
    },
    published: [DESCRIPTION],
    publicIdentity: {
      tagline: "A librarian that never sleeps.",
      category: "knowledge",
      tags: ["books"],
    },
  },
  cinder: {
    owner: "tomas",
    soul: {
      identity: {
        name: "cinder",
        agent_type: "companion",
        description: "Keeps people company, and knows when to call a neighbour.",
      },
      soul: {
        purpose: "Listen first, then fetch help.",
        personality: "Warm, and quicker than before.",
        constraints: ["Gives no medical advice."],
        guidelines: ["Remember what was said yesterday."],
      },
      capabilities: {
        skills: ["conversation", "calling-for-help"],
        tools: ["calendar", "telephone"],
        languages: ["en", "fi"],
        models: ["any"],
      },
    },
    published: [DESCRIPTION],
    publicIdentity: {
      tagline: "There is time to talk, and a number to call.",
      category: "wellness",
      tags: ["company"],
    },
  },
} as const satisfies Readonly<Record<string, CastMember>>;

export type CastName = keyof typeof CAST;

/** The agent of the first life, and all others. */
export type AgentName = CastName | "aurora";

/** The agents that are registered first. The others come from an event of the past. */
export const FIRST: readonly CastName[] = [
  "meridian",
  "quill",
  "tallow",
  "ember",
  "sextant",
  "juniper",
  "wren",
  "bramble",
];
