import "./agents.suite.ts";
import "./did.suite.ts";
