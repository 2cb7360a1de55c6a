// Brings the first frame of a picture into view.
document.querySelector(".picture .mark")?.scrollIntoView({ block: "center", inline: "nearest" });
