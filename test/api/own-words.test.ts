import "./public-identity.suite.ts";
import "./soul-documents.suite.ts";
