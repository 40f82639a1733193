export { ComparePage } from "./ComparePage";
export { SolutionPage } from "./SolutionPage";
export { SpotJob } from "./SpotJob";
export { SpotPage } from "./SpotPage";
