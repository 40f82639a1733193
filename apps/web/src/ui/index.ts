export { Button } from "./Button";
export { Chart, type ChartSeries } from "./Chart";
export { Confirm, Dialog } from "./Dialog";
export { ErrorBoundary } from "./ErrorBoundary";
export { Field } from "./Field";
export { ErrorNotice, Notice, notify, notifyError, Toasts } from "./Notice";
export { ProgressBar, Spinner } from "./ProgressBar";
export { Tabs, type Tab } from "./Tabs";
export { useFetch, type Fetched } from "./useFetch";
