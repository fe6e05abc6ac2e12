document.getElementById("report")!.textContent = "";
