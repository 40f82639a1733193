import { render } from "preact";
import "./style.css"; // first: the sheets of folders build on it
import { App } from "./shell/App";
import { startServer } from "./shell/server";
import { startTheme } from "./shell/theme";

startTheme();
startServer();
const place = document.getElementById("app");
if (place) render(<App />, place);
