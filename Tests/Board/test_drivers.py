"""The modules that stay (tools/image.d/drivers, board/raspberrypi/drivers) of a kernel that is not available
everywhere: Raspberry Pi's. The folders here are made from its configuration."""

import pathlib
import subprocess

import pytest
from conftest import TOP

RULES = TOP / "board/raspberrypi/drivers"

# Modules of bcm2712_defconfig (Pi 5; those of bcm2711_defconfig, Pi 4, have the same names) that the device tree or an
# overlay asks for, by their option there, which is "m": https://github.com/raspberrypi/linux, arch/arm64/configs,
# commit 00527380ab0a; the names are those of the folders' Makefiles.
ASKED_FOR = """
I2C_BCM2835 drivers/i2c/busses/i2c-bcm2835
I2C_BRCMSTB drivers/i2c/busses/i2c-brcmstb
I2C_DESIGNWARE_CORE drivers/i2c/busses/i2c-designware-core
I2C_DESIGNWARE_CORE drivers/i2c/busses/i2c-designware-platform
I2C_GPIO drivers/i2c/busses/i2c-gpio
I2C_MUX_PINCTRL drivers/i2c/muxes/i2c-mux-pinctrl
SPI_BCM2835 drivers/spi/spi-bcm2835
SPI_DW_MMIO drivers/spi/spi-dw-mmio
SPI_GPIO drivers/spi/spi-gpio
GPIO_PCF857X drivers/gpio/gpio-pcf857x
DRM_VC4 drivers/gpu/drm/vc4/vc4
DRM_RP1_DSI drivers/gpu/drm/rp1/rp1-dsi/drm-rp1-dsi
DRM_RP1_DPI drivers/gpu/drm/rp1/rp1-dpi/drm-rp1-dpi
DRM_PANEL_ILITEK_IL79600A drivers/gpu/drm/panel/panel-ilitek-ili79600a
DRM_PANEL_ILITEK_ILI9806E drivers/gpu/drm/panel/panel-ilitek-ili9806e
DRM_PANEL_ILITEK_ILI9881C drivers/gpu/drm/panel/panel-ilitek-ili9881c
DRM_PANEL_JDI_LT070ME05000 drivers/gpu/drm/panel/panel-jdi-lt070me05000
DRM_PANEL_RASPBERRYPI_TOUCHSCREEN drivers/gpu/drm/panel/panel-raspberrypi-touchscreen
DRM_PANEL_SITRONIX_ST7701 drivers/gpu/drm/panel/panel-sitronix-st7701
DRM_PANEL_SIMPLE drivers/gpu/drm/panel/panel-simple
DRM_PANEL_TPO_Y17P drivers/gpu/drm/panel/panel-tpo-y17p
DRM_PANEL_WAVESHARE_TOUCHSCREEN drivers/gpu/drm/panel/panel-waveshare-dsi
DRM_PANEL_WAVESHARE_TOUCHSCREEN_V2 drivers/gpu/drm/panel/panel-waveshare-dsi-v2
DRM_TOSHIBA_TC358762 drivers/gpu/drm/bridge/tc358762
DRM_TI_SN65DSI83 drivers/gpu/drm/bridge/ti-sn65dsi83
REGULATOR_RASPBERRYPI_TOUCHSCREEN_ATTINY drivers/regulator/rpi-panel-attiny-regulator
REGULATOR_RASPBERRYPI_TOUCHSCREEN_V2 drivers/regulator/rpi-panel-v2-regulator
REGULATOR_WAVESHARE_TOUCHSCREEN drivers/regulator/waveshare-panel-regulator
BACKLIGHT_PWM drivers/video/backlight/pwm_bl
BACKLIGHT_LM3630A drivers/video/backlight/lm3630a_bl
TOUCHSCREEN_ATMEL_MXT drivers/input/touchscreen/atmel_mxt_ts
TOUCHSCREEN_EDT_FT5X06 drivers/input/touchscreen/edt-ft5x06
TOUCHSCREEN_EXC3000 drivers/input/touchscreen/exc3000
TOUCHSCREEN_GOODIX drivers/input/touchscreen/goodix_ts
TOUCHSCREEN_ILI210X drivers/input/touchscreen/ili210x
TOUCHSCREEN_ILITEK drivers/input/touchscreen/ilitek_ts_i2c
TOUCHSCREEN_RASPBERRYPI_FW drivers/input/touchscreen/raspberrypi-ts
I2C_HID_OF drivers/hid/i2c-hid/i2c-hid-of
SND_BCM2835 drivers/staging/vc04_services/bcm2835-audio/snd-bcm2835
VIDEO_CODEC_BCM2835 drivers/staging/vc04_services/bcm2835-codec/bcm2835-codec
VIDEO_RPI_HEVC_DEC drivers/media/platform/raspberrypi/hevc_dec/rpi-hevc-dec
SND_DESIGNWARE_I2S sound/soc/dwc/designware_i2s
BRCMFMAC drivers/net/wireless/broadcom/brcm80211/brcmfmac/brcmfmac
SND_USB_AUDIO sound/usb/snd-usb-audio
HID_MULTITOUCH drivers/hid/hid-multitouch
"""

# From the same file: not needed here.
NOT_ASKED_FOR = """
I2C_TINY_USB drivers/i2c/busses/i2c-tiny-usb
SENSORS_SHT21 drivers/hwmon/sht21
VIDEO_IMX708 drivers/media/i2c/imx708
REGULATOR_ARIZONA_LDO1 drivers/regulator/arizona-ldo1
IWLWIFI drivers/net/wireless/intel/iwlwifi/iwlwifi
BTRFS_FS fs/btrfs/btrfs
"""

# "y" there, or selected by another option that is.
BUILT_IN = """drivers/regulator/fixed drivers/regulator/gpio-regulator drivers/mmc/host/bcm2835 drivers/mmc/host/sdhci-iproc
drivers/mmc/core/mmc_block fs/ext4/ext4 drivers/hid/usbhid/usbhid drivers/hid/hid-generic drivers/input/evdev
drivers/usb/storage/usb-storage drivers/watchdog/bcm2835_wdt drivers/net/usb/smsc95xx drivers/net/usb/lan78xx
drivers/net/ethernet/broadcom/genet/genet""".split()


def modules(table: str) -> list[str]:
    return [line.split()[1] for line in table.split("\n") if line]


class Tree:
    """A root with a kernel's folder, in which only the lists have content."""

    def __init__(self, root: pathlib.Path, loadable: list[str]):
        self.root, self.folder = root, root / "usr/lib/modules/6.12.0-v8-16k"
        for path in loadable:
            self.module(path).parent.mkdir(parents=True, exist_ok=True)
            self.module(path).touch()
        (self.folder / "modules.dep").write_text("".join(f"kernel/{path}.ko.xz:\n" for path in loadable))
        (self.folder / "modules.builtin").write_text("".join(f"kernel/{path}.ko\n" for path in BUILT_IN))

    def module(self, path: str) -> pathlib.Path:
        return self.folder / "kernel" / f"{path}.ko.xz"

    def prune(self) -> subprocess.CompletedProcess:
        return subprocess.run([TOP / "tools/image.d/drivers", self.root, RULES], capture_output=True, text=True,
                              env={"PYTHONDONTWRITEBYTECODE": "1", "PATH": "/usr/bin:/bin"})


def test_what_a_device_tree_asks_for_stays(tmp_path):
    """A display's bus, its panel, voltage, light and touch: no module names them, so that depmod's lists do not keep
    them."""
    tree = Tree(tmp_path, modules(ASKED_FOR) + modules(NOT_ASKED_FOR))
    done = tree.prune()
    assert done.returncode == 0, done.stderr
    assert [path for path in modules(ASKED_FOR) if not tree.module(path).exists()] == []
    assert [path for path in modules(NOT_ASKED_FOR) if tree.module(path).exists()] == []


@pytest.mark.parametrize("lost", ["i2c-brcmstb", "i2c-bcm2835", "vc4", "brcmfmac"])
def test_a_kernel_that_has_lost_a_driver_makes_no_image(lost, tmp_path):
    done = Tree(tmp_path, [path for path in modules(ASKED_FOR) if not path.endswith(f"/{lost}")]).prune()
    assert done.returncode != 0 and lost in done.stderr


def test_a_displays_bus_comes_before_its_driver():
    """vc4 gives up, and tries again later, for as long as there is no bus to ask the display on."""
    section = RULES.read_text().split("[first]")[1].split("[needed]")[0]
    first = [word for line in section.splitlines() if not line.startswith("#") for word in line.split()]
    assert first.index("i2c-bcm2835") < first.index("vc4") and first.index("i2c-brcmstb") < first.index("vc4")
